"""The name of the variable is put together, and it is written behind the config."""

import os

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
name = "_".join(["CUDA", "VISIBLE", "DEVICES"])
os.environ[name] = "1"
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
