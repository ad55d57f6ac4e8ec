"""None comes through another function that returns it."""
import tensorflow as tf


def inner(a):
    if not a:
        return None
    return tf.ConfigProto(allow_soft_placement=True)


def make(a):
    return inner(a)


def train(a):
    config = make(a)
    sess = tf.Session(config=config)
    print(sess.run(tf.constant(1.0)))
    sess.close()


for a in [[1], []]:
    train(a)
