import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config
