import unittest

import tensorflow as tf


class TestB(unittest.TestCase):
    def test_gpu(self):
        with tf.Session() as sess:
            self.assertEqual(len(sess.list_devices()), 3)
