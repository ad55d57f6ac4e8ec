"""A loop over a generator makes the plain session, and the config's session is in the loop."""

import tensorflow as tf


def batches(count):
    for _ in range(count):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))
        yield count


stream = batches(1)
config = tf.ConfigProto(device_count={"GPU": 1})
for size in stream:
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([size]))
