"""A text that is evaluated writes the variable."""

import os

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


config = make_config()
eval("os.environ.update(CUDA_VISIBLE_DEVICES='1')")
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
