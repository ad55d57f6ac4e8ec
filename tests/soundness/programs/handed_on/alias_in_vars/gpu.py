import tensorflow as tf


def open_session():
    config = tf.ConfigProto(allow_soft_placement=True)
    return tf.Session(config=config)
