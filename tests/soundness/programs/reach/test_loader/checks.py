import unittest
import tensorflow as tf
class T(unittest.TestCase):
    def test_a(self):
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as s: print(len(s.list_devices()))
