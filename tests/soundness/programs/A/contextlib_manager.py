"""A generator that is a context manager makes the plain session."""

import contextlib

import tensorflow as tf


@contextlib.contextmanager
def section(title):
    print(title)
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8]))
    yield


config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
with section("train"):
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
