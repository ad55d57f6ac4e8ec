import unittest

import tensorflow as tf


class TestCpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))

    def test_run(self):
        self.sess.run(tf.random_uniform([8]))
