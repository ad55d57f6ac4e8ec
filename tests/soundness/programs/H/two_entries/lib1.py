import tensorflow as tf


def noise():
    return tf.random.uniform([8])


def session():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config)
