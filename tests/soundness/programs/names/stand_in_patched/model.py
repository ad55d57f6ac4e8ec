import tensorflow as tf


def go():
    config = tf.ConfigProto(allow_soft_placement=True)
    tf.Session(config=config)
