"""A list with one number, as text of a number."""
# argv: 1

import sys

import tensorflow as tf

gpu = int(sys.argv[1])
config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(gpu)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
