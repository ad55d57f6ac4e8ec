"""A test of a class for pytest is called by hand, without what pytest runs before it."""

import tensorflow as tf


class TestSum(object):
    def setup_method(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def test_sum(self):
        with tf.Session(config=self.config) as sess:
            assert sess.run(tf.constant(1.0)) == 1.0


try:
    TestSum().test_sum()
except AttributeError:
    print("no config")
