"""A dictionary holds os.environ itself, and no copy."""

import os

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


tables = {"environment": os.environ}
config = make_config()
tables["environment"]["CUDA_VISIBLE_DEVICES"] = "1"
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
