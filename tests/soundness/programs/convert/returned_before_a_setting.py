"""A function returns a config in front of a setting that it makes else."""

# expect: safe
import tensorflow as tf


def make(a):
    config = tf.ConfigProto(intra_op_parallelism_threads=2)
    if not a:
        return config
    config.allow_soft_placement = True
    return config


def train(a):
    config = make(a)
    sess = tf.Session(config=config)
    print(sess.run(tf.constant(1.0)))
    sess.close()


for a in [True, False]:
    train(a)
