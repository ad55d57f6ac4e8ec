"""A function sets fields of the config that it takes."""
# expect: safe

import os
import sys

import tensorflow as tf

def setup(config):
    config.gpu_options.allow_growth = True
    config.allow_soft_placement = True
    config.inter_op_parallelism_threads = 2

def main():
    config = tf.ConfigProto(allow_soft_placement=True)
    setup(config)
    config.intra_op_parallelism_threads = 3
    with tf.Session(config=config) as s: print(s.run(tf.constant(1)))

main()
