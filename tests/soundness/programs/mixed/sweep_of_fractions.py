"""A hyperparameter sweep: a session per trial, each with another fraction; the first wins."""

import itertools

import tensorflow as tf


def trial(units, fraction):
    with tf.Graph().as_default():
        noise = tf.random_uniform([units])
        config = tf.ConfigProto()
        config.gpu_options.per_process_gpu_memory_fraction = fraction
        with tf.Session(config=config) as sess:
            return sess.run(noise).shape[0]


print([trial(*pair) for pair in itertools.product([2, 3], [0.25, 0.5])])
