"""A decorator runs a plain session before the function that it wraps."""

import functools

import tensorflow as tf


def with_baseline(function):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))
        return function(*args, **kwargs)

    return wrapped


@with_baseline
def train(config):
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
train(config)
