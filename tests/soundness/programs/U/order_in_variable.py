"""The order of GPUs is in a variable: `--gpu 1,0`."""
# argv: 1,0

import sys

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.visible_device_list = sys.argv[1]
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
