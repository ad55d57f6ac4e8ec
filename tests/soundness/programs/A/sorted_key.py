"""sorted() calls its key, which makes the plain session."""

import tensorflow as tf


def cost(size):
    return int(tf.Session().run(tf.random_uniform([size])).shape[0])


config = tf.ConfigProto(device_count={"GPU": 1})
sizes = sorted([3, 2], key=cost)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform(sizes))
print(sizes)
