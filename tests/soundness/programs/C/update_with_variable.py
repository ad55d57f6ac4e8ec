"""A list holds os.environ, and the variable is named before the settings."""

import os

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


tables = [os.environ]
values = {"CUDA_VISIBLE_DEVICES": "1"}
config = make_config()
tables[0].update(values)
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
