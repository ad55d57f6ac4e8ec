import unittest

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 0})


class TestA(unittest.TestCase):
    def test_cpu(self):
        with tf.Session(config=config) as sess:
            self.assertEqual(len(sess.list_devices()), 1)
