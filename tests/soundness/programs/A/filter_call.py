"""filter() calls the function that makes a plain session, between config and session."""

import tensorflow as tf


def usable(seed):
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8], seed=seed))
    return seed > 1


config = tf.ConfigProto(device_count={"GPU": 0})
seeds = list(filter(usable, [1, 2]))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
print(seeds)
