"""os.environ under another name."""

import tensorflow as tf
from os import environ as variables

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
variables["CUDA_VISIBLE_DEVICES"] = "1"
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
