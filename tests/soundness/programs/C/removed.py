"""The variable is removed behind the config: the session sees both GPUs."""
# variables: CUDA_VISIBLE_DEVICES=1

import os

import tensorflow as tf


def clear(*names):
    for name in names:
        os.environ.pop(name, None)


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
clear("CUDA_VISIBLE_DEVICES")
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
