"""Another class is put in the place of tf.Session for a while."""

import contextlib

import tensorflow as tf


class Fake:
    def __init__(self, config=None):
        self.config = config


@contextlib.contextmanager
def faked():
    original = tf.Session
    tf.Session = Fake
    yield
    tf.Session = original


config = tf.ConfigProto(device_count={"GPU": 1})
with faked():
    print(tf.Session(config=config).config.device_count["GPU"])
with tf.Session() as sess:
    print(len(sess.list_devices()))
