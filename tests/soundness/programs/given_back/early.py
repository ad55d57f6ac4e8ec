"""A function returns the config before it is filled in, in some runs."""

import os

import tensorflow as tf


def configure(config):
    if os.environ.get("PLAIN"):
        return config
    config.gpu_options.allow_growth = True
    return config


with tf.Session(config=configure(tf.ConfigProto())) as sess:
    print(sess.run(tf.constant(1)))
