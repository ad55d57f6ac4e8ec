"""Unpacking calls __iter__, which makes the plain session."""

import tensorflow as tf


class Pair:
    def __iter__(self):
        tf.Session().run(tf.random_uniform([8]))
        return iter((1, 2))


pair = Pair()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
first, second = pair
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([first, second]))
