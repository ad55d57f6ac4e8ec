"""A config goes through two functions, the second one of them in the call of the session."""

import tensorflow as tf


def configure(config, growth=True):
    config.gpu_options.allow_growth = growth
    return config


def softly(config):
    config.gpu_options.allow_growth = False
    return config


with tf.Session(config=configure(softly(tf.ConfigProto()))) as sess:
    print(sess.run(tf.constant(1)))
