"""inter_op -1 in the first session: later plain sessions use the pool."""

import tensorflow as tf


def run(config=None):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


run(tf.ConfigProto(inter_op_parallelism_threads=-1, intra_op_parallelism_threads=2))
run()
