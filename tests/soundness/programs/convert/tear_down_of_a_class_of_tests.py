"""Marked tests, and what runs behind all of them, read the config of `setUpClass`."""

# expect: safe

import unittest

import tensorflow as tf


class Sum(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.config = tf.ConfigProto()
        cls.config.gpu_options.allow_growth = True

    @classmethod
    def tearDownClass(cls):
        with tf.Session(config=cls.config) as sess:
            print(sess.run(tf.constant(9)))

    @unittest.expectedFailure
    def test_sum(self):
        with tf.Session(config=self.config) as sess:
            self.assertEqual(sess.run(tf.constant(1.0) + 2.0), 4.0)

    def test_product(self):
        with tf.Session(config=self.config) as sess:
            self.assertEqual(sess.run(tf.constant(1.0) * 2.0), 2.0)


if __name__ == "__main__":
    unittest.main()
