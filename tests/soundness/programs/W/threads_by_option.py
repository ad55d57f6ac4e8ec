"""The number of threads is an option, which may be negative."""
# argv: -1

import sys

import tensorflow as tf


def run(config=None):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


run(tf.ConfigProto(inter_op_parallelism_threads=int(sys.argv[1])))
run()
