"""The config is in the body of a class of tests, and a method that its subclasses share reads it."""

# expect: safe

import unittest

import tensorflow as tf


class Base(unittest.TestCase):
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))

    def run_op(self, op):
        with tf.Session(config=self.config) as sess:
            return sess.run(op)


class Sum(Base):
    def test_sum(self):
        self.assertEqual(self.run_op(tf.constant(1.0) + 2.0), 3.0)


class Product(Base):
    def test_product(self):
        self.assertEqual(self.run_op(tf.constant(2.0) * 2.0), 4.0)


if __name__ == "__main__":
    unittest.main()
