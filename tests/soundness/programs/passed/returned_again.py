"""A function returns the config that it takes."""

import os
import sys

import tensorflow as tf

def identity(config):
    return config
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=identity(config))
print(sess.run(tf.constant(1)))
