import unittest

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True


def setUpModule():
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


class TestB(unittest.TestCase):
    def test_nothing(self):
        self.assertTrue(config.gpu_options.allow_growth)
