"""A function returns None in front of a config without GPUs, and is called for both."""
import tensorflow as tf


def make(a):
    if not a:
        return None
    return tf.ConfigProto(device_count={'GPU': 0})


def train(a):
    sess = tf.Session(config=make(a))
    print(sess.run(tf.constant(1.0)))
    sess.close()


for a in [True, False]:
    train(a)
