"""A test that is found by a text is called without `setUp`: that is an error before."""

import unittest

import tensorflow as tf


class Sum(unittest.TestCase):
    def setUp(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def test_sum(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1.0) + 2.0))


for name in ["test_sum"]:
    try:
        Sum.__dict__[name](Sum(name))
    except AttributeError as error:
        print("no config:", error)
