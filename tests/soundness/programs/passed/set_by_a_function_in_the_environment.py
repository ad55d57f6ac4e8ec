"""A function sets a field, and a variable of the environment."""

import os
import sys

import tensorflow as tf

def setup(config):
    config.gpu_options.allow_growth = True
    os.environ['CUDA_VISIBLE_DEVICES'] = '1'

def main():
    config = tf.ConfigProto()
    setup(config)
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))

main()
