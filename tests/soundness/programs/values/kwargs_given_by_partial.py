"""A partial function gives keyword arguments that the calls in the text do not."""

import functools

import tensorflow as tf


def make_session(soft=True, **kwargs):
    config = tf.ConfigProto(allow_soft_placement=soft, **kwargs)
    return tf.Session(config=config)


logging = functools.partial(make_session, log_device_placement=True)
print(make_session().run(tf.constant(1.0)))
print(logging().run(tf.constant(1.0)))
