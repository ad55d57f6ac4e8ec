"""A function makes settings of the config that it takes, and one raises."""

import os
import sys

import tensorflow as tf

def growth(config, value):
    try:
        config.gpu_options.visible_device_list = value()
    except KeyError:
        config.gpu_options.allow_growth = True
config = tf.ConfigProto()
growth(config, lambda: {}["x"])
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
