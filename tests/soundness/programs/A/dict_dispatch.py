"""The plain session between config and session comes from a table of functions."""

import sys

import tensorflow as tf


def evaluate():
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8]))


def skip():
    print("skipped")


MODES = {"eval": evaluate, "skip": skip}
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
MODES[sys.argv[1] if len(sys.argv) > 1 else "eval"]()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
