"""A callback that another function is given makes the plain session."""

import tensorflow as tf


def each(items, callback):
    for item in items:
        callback(item)


def on_item(item):
    with tf.Session() as sess:
        sess.run(tf.random_uniform([item]))


config = tf.ConfigProto(device_count={"GPU": 0})
each([2, 3], callback=on_item)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
