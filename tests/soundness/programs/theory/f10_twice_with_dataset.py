"""A function that makes a session with one GPU runs twice, with a dataset's map in between."""

import tensorflow as tf


def train():
    config = tf.ConfigProto(device_count={"GPU": 1})
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
        print(len(sess.list_devices()))


with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
train()
with tf.Graph().as_default():
    tf.data.Dataset.range(3).map(lambda x: x + 1)
train()
