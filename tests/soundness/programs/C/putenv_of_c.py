"""The putenv of C takes the name with the value, and is called in a library that is loaded."""

import ctypes

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


config = make_config()
ctypes.PyDLL(None).putenv(b"CUDA_VISIBLE_DEVICES=1")
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
