import unittest

import tensorflow as tf


class TestGpu(unittest.TestCase):
    def test_run(self):
        with tf.Session() as sess:
            self.assertEqual(len(sess.list_devices()), 3)
            sess.run(tf.random_uniform([8]))
