import tensorflow as tf

CONFIG = tf.ConfigProto(allow_soft_placement=True)


def new():
    return tf.Session(config=CONFIG)
