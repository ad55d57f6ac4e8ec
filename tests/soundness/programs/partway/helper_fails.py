"""A function that is given a config fails in front of its setting, and that is caught."""
import tensorflow as tf


def check(go):
    if not go:
        raise ValueError


def tune(config, a):
    check(a)
    config.allow_soft_placement = True


def train(a):
    config = tf.ConfigProto(intra_op_parallelism_threads=2)
    try:
        tune(config, a)
    except ValueError:
        print('no')
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


train(True)
train(False)
