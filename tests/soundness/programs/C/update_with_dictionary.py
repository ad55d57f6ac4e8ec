"""os.environ.update with a dictionary that a function returns."""

import os

import tensorflow as tf


def variables():
    return {"CUDA_VISIBLE_DEVICES": "1"}


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
os.environ.update(variables())
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
