"""A function fills in a config and returns it."""

import tensorflow as tf


def configure(config, growth=True):
    config.gpu_options.allow_growth = growth
    return config


with tf.Session(config=configure(tf.ConfigProto())) as sess:
    print(sess.run(tf.constant(1)))
