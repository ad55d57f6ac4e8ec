import io
import unittest

import train
import tensorflow as tf


class TestAll(unittest.TestCase):
    def setUp(self):
        train.cpu()

    def test_devices(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            self.assertEqual(len(sess.list_devices()), 3)


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(TestAll)
    result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    print(result.testsRun, len(result.failures), len(result.errors))
