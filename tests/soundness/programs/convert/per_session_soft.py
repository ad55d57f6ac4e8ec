"""A session that keeps its own config is not touched by soft placement of others."""
# expect: safe
# kept: 18

import tensorflow as tf


def train():
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


def evaluate():
    with tf.Graph().as_default():
        # It has no equivalent in tf.config.
        value = tf.random_uniform([8])
        config = tf.ConfigProto(operation_timeout_in_ms=20000)
        with tf.Session(config=config) as sess:
            sess.run(value)


train()
evaluate()
