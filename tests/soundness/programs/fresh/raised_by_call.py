"""`assertRaises` calls the function whose session is refused."""

import unittest

import tensorflow as tf


def work():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    tf.Session(config=config)


class Test(unittest.TestCase):
    def test_refused(self):
        self.assertRaises(tf.errors.OpError, work)


unittest.main()
