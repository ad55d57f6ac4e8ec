import tensorflow as tf


def make():
    config = tf.ConfigProto()
    config.allow_soft_placement = True
    return config
