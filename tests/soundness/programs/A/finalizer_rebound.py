"""Giving a variable another value calls __del__, which makes the plain session."""

import tensorflow as tf


class Handle:
    def __del__(self):
        tf.Session().run(tf.random_uniform([8]))


handle = Handle()
config = tf.ConfigProto(device_count={"GPU": 0})
handle = None
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
