"""The config is kept on a namespace object."""
# expect: safe

import argparse

import tensorflow as tf

args = argparse.Namespace()
args.config = tf.ConfigProto()
args.config.gpu_options.allow_growth = True


def train(args):
    with tf.Session(config=args.config) as sess:
        sess.run(tf.random_uniform([8]))


train(args)
