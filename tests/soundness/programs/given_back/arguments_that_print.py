"""Arguments beside the config print something."""

import tensorflow as tf


def configure(config, growth=True):
    config.gpu_options.allow_growth = growth
    return config


def asked():
    print("asked")
    return True


with tf.Session(config=configure(tf.ConfigProto(), asked())) as sess:
    print(sess.run(tf.constant(1)))
