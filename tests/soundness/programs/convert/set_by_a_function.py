"""A function that is given a config sets a field of it, twice."""

# expect: safe
import tensorflow as tf


def tune(config):
    config.allow_soft_placement = True


def train():
    config = tf.ConfigProto(intra_op_parallelism_threads=2)
    tune(config)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


train()
train()
