"""parse_args calls a type function, which makes the plain session."""

import argparse

import tensorflow as tf


def size(text):
    return int(tf.Session().run(tf.random_uniform([int(text)])).shape[0])


parser = argparse.ArgumentParser()
parser.add_argument("--size", type=size, default="3")
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
args = parser.parse_args()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([args.size]))
