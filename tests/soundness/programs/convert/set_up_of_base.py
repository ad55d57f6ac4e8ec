"""`setUp` of a base class, a subclass that calls it, and a method that tests call."""

# expect: safe
import unittest
import tensorflow as tf


class Base(unittest.TestCase):
    def setUp(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)
        self.config.gpu_options.allow_growth = True

    def _run(self, x):
        with tf.Session(config=self.config) as sess:
            return sess.run(x)


class ModelTest(Base):
    def test_add(self):
        self.assertEqual(self._run(tf.constant(1) + 1), 2)


class OtherTest(Base):
    def setUp(self):
        super(OtherTest, self).setUp()
        self.k = 3

    def test_mul(self):
        self.assertEqual(self._run(tf.constant(1) * self.k), 3)


if __name__ == "__main__":
    unittest.main()
