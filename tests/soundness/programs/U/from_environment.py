"""The environment gives the order."""
# variables: GPUS=1,0

import os

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.visible_device_list = os.environ["GPUS"]
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
