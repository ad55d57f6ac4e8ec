"""The graph argument of the session builds a dataset with map: settings stand before it."""

import tensorflow as tf


def build():
    with tf.Graph().as_default() as graph:
        tf.identity(tf.random_uniform([8]), name="noise")
        tf.data.Dataset.range(3).batch(2)
    return graph


config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
with tf.Session(config=config, graph=build()) as sess:
    sess.run("noise:0")
with tf.Session(graph=build()) as sess:
    print(len(sess.list_devices()))
