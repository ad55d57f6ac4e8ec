import tensorflow as tf


def open_session(config=None):
    return tf.Session(config=config)
