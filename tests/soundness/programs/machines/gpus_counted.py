"""A list of GPUs that is counted: as many as an option says, from 0 or another number on."""
# expect: safe
# argv: 1

import sys

import tensorflow as tf

count = int(sys.argv[1]) if len(sys.argv) > 1 else 2
config = tf.ConfigProto()
config.gpu_options.visible_device_list = ",".join(str(i) for i in range(count))
config.gpu_options.allow_growth = count > 1
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
