"""The target of the session is a parameter, which is empty in this run: no other process."""
# expect: assumption

import sys

import tensorflow as tf


def train(target=""):
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Session(target=target, config=config) as sess:
        sess.run(tf.random_uniform([8]))


train(*sys.argv[1:])
