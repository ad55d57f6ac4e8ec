"""A function that sets fields calls another one that does."""

import os
import sys

import tensorflow as tf

def inner(config):
    config.gpu_options.allow_growth = True
def setup(config):
    inner(config)
    config.allow_soft_placement = True

def main():
    config = tf.ConfigProto()
    setup(config)
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))

main()
