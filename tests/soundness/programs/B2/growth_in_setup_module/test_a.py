import unittest

import tensorflow as tf


class TestA(unittest.TestCase):
    def test_plain(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))
