"""A decorator of a class of tests gives it another `setUp`: its test ends with an error before."""

import unittest

import tensorflow as tf


def quiet(owner):
    owner.setUp = lambda self: None
    return owner


@quiet
class Sum(unittest.TestCase):
    def setUp(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def test_sum(self):
        with tf.Session(config=self.config) as sess:
            self.assertEqual(sess.run(tf.constant(1.0) + 2.0), 3.0)


result = unittest.TestResult()
unittest.defaultTestLoader.loadTestsFromTestCase(Sum).run(result)
print(len(result.errors))
