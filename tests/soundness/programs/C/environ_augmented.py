"""os.environ is changed in place by its imported name."""

from os import environ as variables

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
variables |= {"CUDA_VISIBLE_DEVICES": "1"}
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
