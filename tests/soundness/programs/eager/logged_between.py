"""Eager code between a config that logs the placement of its session, and this session."""
# tensorflow: 2

import tensorflow as tf


def prepare():
    return tf.Variable([1.0])


def train():
    config = tf.compat.v1.ConfigProto()
    config.log_device_placement = True
    prepare()
    with tf.Graph().as_default():
        sess = tf.compat.v1.Session(config=config)
        print(sess.run(tf.constant(1.0)))


train()
