"""TestCase.session() of TensorFlow makes a session of its own config."""

import sys
import unittest

import tensorflow as tf


class TestModel(tf.test.TestCase):
    def test_cpu(self):
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
            self.assertEqual(len(sess.list_devices()), 1)

    def test_then_gpu(self):
        with tf.Graph().as_default():
            with self.session() as sess:
                self.assertEqual(len(sess.list_devices()), 3)


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(TestModel)
    suite = unittest.TestSuite(test for test in suite if "test_session" not in str(test))
    result = unittest.TextTestRunner(stream=sys.stderr).run(suite)
    print(result.testsRun, len(result.failures), len(result.errors))
