"""A default argument is computed where the function is defined."""

import tensorflow as tf


def size():
    return int(tf.Session().run(tf.random_uniform([8])).shape[0])


config = tf.ConfigProto(device_count={"GPU": 0})


def build(count=size()):
    return tf.random_uniform([count])


with tf.Session(config=config) as sess:
    sess.run(build())
