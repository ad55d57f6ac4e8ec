"""A function that sets fields is called on a condition."""
# expect: safe
# argv: 1

import os
import sys

import tensorflow as tf

def setup(config):
    config.gpu_options.allow_growth = True

def main():
    config = tf.ConfigProto()
    if len(sys.argv) > 1:
        setup(config)
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))

main()
