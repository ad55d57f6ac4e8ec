"""A test is called without the `setUp` that makes its config: that is an error before."""

import unittest

import tensorflow as tf


class Sum(unittest.TestCase):
    def setUp(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def test_sum(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1.0) + 2.0))


case = Sum("test_sum")
try:
    case.test_sum()
except AttributeError as error:
    print("no config:", error)
