"""A function sets a field behind the session."""

import os
import sys

import tensorflow as tf

def setup(config):
    config.gpu_options.allow_growth = True

def main():
    config = tf.ConfigProto()
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
    setup(config)

main()
