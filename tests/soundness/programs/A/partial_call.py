"""functools.partial hides which function makes the plain session."""

import functools

import tensorflow as tf


def check(shape):
    with tf.Session() as sess:
        sess.run(tf.random_uniform(shape))


check_small = functools.partial(check, [4])
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
check_small()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
