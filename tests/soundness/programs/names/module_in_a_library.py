"""TensorFlow is stored in a module of Python, and found there."""

import json

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


json.backend = tf
config = make_config()
print(len(json.backend.Session().list_devices()))
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
