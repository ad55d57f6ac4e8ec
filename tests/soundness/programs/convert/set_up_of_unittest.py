"""A config that `setUp` stores in an attribute is there in each test of the class."""

# expect: safe
import unittest
import tensorflow as tf


class ModelTest(unittest.TestCase):
    def setUp(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True

    def test_add(self):
        with tf.Session(config=self.config) as sess:
            self.assertEqual(sess.run(tf.constant(1) + 1), 2)

    def test_mul(self):
        with tf.Session(config=self.config) as sess:
            self.assertEqual(sess.run(tf.constant(1) * 2), 2)


if __name__ == "__main__":
    unittest.main()
