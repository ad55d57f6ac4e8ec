"""os.environ is handed to a function, which writes to its parameter."""

import os

import tensorflow as tf


def choose(mapping, number):
    mapping["CUDA_VISIBLE_DEVICES"] = str(number)


config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
choose(os.environ, 1)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
