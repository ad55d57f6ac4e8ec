"""Soft placement and logging are of one session each: on, plain, off, plain."""

import tensorflow as tf


def run(config=None):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


run(tf.ConfigProto(allow_soft_placement=True))
run()
run(tf.ConfigProto(log_device_placement=True))
run()
