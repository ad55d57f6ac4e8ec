"""A parameter is called gpu, and is used behind the session."""

import tensorflow as tf


def train(gpu, visible=3):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
    print(gpu, visible)


train("first")
