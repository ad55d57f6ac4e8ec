"""assertRaises expects the refusal of placement from a plain session."""

import io
import unittest

import tensorflow as tf

CONFIG = tf.ConfigProto(allow_soft_placement=True)


class TestPlacement(unittest.TestCase):
    def test_a_soft(self):
        with tf.Graph().as_default(), tf.Session(config=CONFIG) as sess:
            sess.run(tf.random_uniform([8]))

    def test_b_hard(self):
        with tf.Graph().as_default(), tf.device("/gpu:7"):
            noise = tf.random_uniform([8])
            with self.assertRaises(tf.errors.InvalidArgumentError), tf.Session() as sess:
                sess.run(noise)


suite = unittest.defaultTestLoader.loadTestsFromTestCase(TestPlacement)
result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
print(result.testsRun, len(result.failures), len(result.errors))
