import unittest
import tensorflow as tf
suite = unittest.defaultTestLoader.loadTestsFromName("checks")
unittest.TextTestRunner().run(suite)
with tf.Session() as s: print(len(s.list_devices()))
