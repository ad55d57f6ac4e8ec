"""The session is the second item of a `with`; the first makes a plain session as it is entered."""

import contextlib

import tensorflow as tf


@contextlib.contextmanager
def section():
    with tf.Session() as sess:
        yield len(sess.list_devices())


config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
with section() as count, tf.Session(config=config) as sess:
    print(count, len(sess.list_devices()))
