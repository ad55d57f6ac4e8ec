"""A decorator opens a session with a config and hands it to the function."""

import functools

import tensorflow as tf


def with_session(**fields):
    def decorate(function):
        @functools.wraps(function)
        def wrapped(*args):
            config = tf.ConfigProto(**fields)
            with tf.Graph().as_default(), tf.Session(config=config) as sess:
                return function(sess, *args)

        return wrapped

    return decorate


@with_session(device_count={"GPU": 1}, allow_soft_placement=True)
def train(sess, units):
    return sess.run(tf.random_uniform([units])).shape, len(sess.list_devices())


@with_session()
def evaluate(sess):
    return len(sess.list_devices())


print(train(3), evaluate())
