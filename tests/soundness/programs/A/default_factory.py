"""A defaultdict calls its factory, which makes the plain session."""

import collections

import tensorflow as tf


def measure():
    return int(tf.Session().run(tf.random_uniform([8])).shape[0])


sizes = collections.defaultdict(measure)
config = tf.ConfigProto(device_count={"GPU": 1})
size = sizes["a"]
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([size]))
