"""The same with TestCase of TensorFlow, whose `setUp` runs before."""

# expect: safe
import tensorflow as tf


class ModelTest(tf.test.TestCase):
    def setUp(self):
        super(ModelTest, self).setUp()
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True

    def test_add(self):
        with tf.Graph().as_default(), tf.Session(config=self.config) as sess:
            self.assertEqual(sess.run(tf.constant(1) + 1), 2)


if __name__ == "__main__":
    tf.test.main()
