"""A class of tests has another `setUp` than the one that makes the config: that is an error before."""

import unittest

import tensorflow as tf


class Sum(unittest.TestCase):
    def setUp(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def test_sum(self):
        with tf.Session(config=self.config) as sess:
            self.assertEqual(sess.run(tf.constant(1.0) + 2.0), 3.0)


class Product(Sum):
    def setUp(self):
        self.factor = 2


result = unittest.TestResult()
unittest.defaultTestLoader.loadTestsFromTestCase(Product).run(result)
print(len(result.errors))
