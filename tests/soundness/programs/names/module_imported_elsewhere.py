"""A module that the settings need is imported on another system only."""

import sys

import tensorflow as tf

if sys.platform == "win32":
    import ctypes

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
