"""A test reads the config that `setUpClass` has made."""

# expect: safe

import tensorflow as tf


class Sum(tf.test.TestCase):
    @classmethod
    def setUpClass(cls):
        super(Sum, cls).setUpClass()
        cls.config = tf.ConfigProto()
        cls.config.gpu_options.allow_growth = True

    def test_sum(self):
        with tf.Graph().as_default(), tf.Session(config=self.config) as sess:
            self.assertEqual(sess.run(tf.constant(1.0) + 2.0), 3.0)


if __name__ == "__main__":
    tf.test.main()
