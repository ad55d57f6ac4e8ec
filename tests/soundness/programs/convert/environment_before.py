"""CUDA_VISIBLE_DEVICES is written by a helper before the settings."""
# argv: 1
# expect: safe

import os
import sys

import tensorflow as tf


def use(number):
    os.environ["CUDA_VISIBLE_DEVICES"] = number


use(sys.argv[1])
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
