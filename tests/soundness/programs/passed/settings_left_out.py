"""A function returns before it makes settings of the config that it takes."""

import os
import sys

import tensorflow as tf

def growth(config):
    if len(sys.argv) < 5:
        return
    config.gpu_options.allow_growth = True
config = tf.ConfigProto()
growth(config)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
