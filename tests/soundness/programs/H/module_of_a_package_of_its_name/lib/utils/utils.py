import tensorflow as tf


def scale(x):
    return x * 3


def make_session():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config)
