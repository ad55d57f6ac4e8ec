"""A function sets fields of the part that it takes."""

import os
import sys

import tensorflow as tf

def setup(options):
    options.allow_growth = True

def main():
    config = tf.ConfigProto()
    setup(config.gpu_options)
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))

main()
