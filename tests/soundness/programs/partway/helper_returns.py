"""A function that is given a config returns in front of its setting."""
import tensorflow as tf


def tune(config, a):
    if not a:
        return
    config.allow_soft_placement = True


def train(a):
    config = tf.ConfigProto(intra_op_parallelism_threads=2)
    tune(config, a)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


train(True)
train(False)
