"""A function that sets a field of a config is called for the first only."""
import tensorflow as tf


def tune(config):
    config.allow_soft_placement = True


def train(a):
    config = tf.ConfigProto(intra_op_parallelism_threads=2)
    if a:
        tune(config)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


train(True)
train(False)
