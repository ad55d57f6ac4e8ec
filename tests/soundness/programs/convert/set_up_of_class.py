"""`setUpClass` makes the config, and the session of all tests."""

# expect: safe
import unittest
import tensorflow as tf


class ModelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.config = tf.ConfigProto()
        cls.config.gpu_options.per_process_gpu_memory_fraction = 0.3
        cls.sess = tf.Session(config=cls.config)

    def test_add(self):
        self.assertEqual(self.sess.run(tf.constant(1) + 1), 2)


if __name__ == "__main__":
    unittest.main()
