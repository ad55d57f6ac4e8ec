"""Managers that are static and class methods hand a config on to each other."""
# expect: safe

from contextlib import contextmanager

import tensorflow as tf


class Tools(object):
    @staticmethod
    @contextmanager
    def session(config):
        with tf.Session(config=config) as sess:
            yield sess

    @classmethod
    @contextmanager
    def growing(cls, growth=True):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = growth
        with cls.session(config) as sess:
            yield sess


with Tools.growing() as sess:
    print(sess.run(tf.constant(1)))
