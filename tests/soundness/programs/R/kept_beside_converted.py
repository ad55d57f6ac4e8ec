"""One config is kept, another converted: the kept one goes on working and is still seen."""

import tensorflow as tf


def train():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


def evaluate():
    config = tf.ConfigProto(operation_timeout_in_ms=20000)
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


train()
evaluate()
