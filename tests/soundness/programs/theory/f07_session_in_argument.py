"""The graph argument makes a plain session itself."""

import tensorflow as tf


def build():
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        sess.run(tf.identity(tf.random_uniform([8]), name="noise"))
    return graph


config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
with tf.Session(config=config, graph=build()) as sess:
    sess.run("noise:0")
