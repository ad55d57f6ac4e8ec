import tensorflow as tf

SCALE = 0.5


def session():
    return tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
