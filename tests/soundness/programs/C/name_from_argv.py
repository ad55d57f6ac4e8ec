"""`--env NAME=VALUE` sets variables behind the config."""
# argv: CUDA_VISIBLE_DEVICES=1

import os
import sys

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
name, _, value = sys.argv[1].partition("=")
os.environ[name] = value
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
