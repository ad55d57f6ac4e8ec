"""A test reads the config that `setUp` of its class, or of one that it inherits from, has made."""

# expect: safe

import unittest

import tensorflow as tf


class Base(unittest.TestCase):
    def setUp(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)
        self.config.gpu_options.allow_growth = True
        self.graph = tf.Graph()


class Sum(Base):
    def setUp(self):
        super(Sum, self).setUp()
        with self.graph.as_default():
            self.total = tf.constant(1.0) + 2.0

    def test_sum(self):
        with tf.Session(graph=self.graph, config=self.config) as sess:
            self.assertEqual(sess.run(self.total), 3.0)


class Empty(Base):
    def test_empty(self):
        with tf.Session(graph=self.graph, config=self.config) as sess:
            self.assertEqual(sess.graph.get_operations(), [])


if __name__ == "__main__":
    unittest.main()
