"""A helper returns a config with what it is given; a run comes to one of its two calls only."""
# expect: safe

import sys

import tensorflow as tf


def make_config(log=False, threads=0):
    config = tf.ConfigProto(log_device_placement=log, allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    if threads:
        config.intra_op_parallelism_threads = threads
    return config


def train():
    config = make_config(log=len(sys.argv) > 2, threads=2)
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


def infer():
    with tf.Session(config=make_config()) as sess:
        sess.run(tf.random_uniform([8]))


if len(sys.argv) > 1:
    infer()
else:
    train()
