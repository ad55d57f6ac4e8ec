"""A function returns None in front of the config that it returns else, and is called twice."""
import tensorflow as tf


def make(a):
    if not a:
        return None
    return tf.ConfigProto(allow_soft_placement=True)


def train(a):
    config = make(a)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))

train(True)
train(False)
