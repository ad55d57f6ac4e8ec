"""A function of the library of Python runs a text."""

import ctypes

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


config = make_config()
ctypes.pythonapi.PyRun_SimpleString(b"import os; os.environ['CUDA_' + 'VISIBLE_DEVICES'] = '1'")
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
