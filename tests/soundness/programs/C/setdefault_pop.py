"""setdefault writes the variable behind the config, where it is not set."""

import os

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.25
os.environ.setdefault("CUDA_VISIBLE_" + "DEVICES", "1")
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
