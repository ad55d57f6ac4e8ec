"""CUDA_VISIBLE_DEVICES is written after the only session: it had no effect before either."""
# expect: safe

import os

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
os.environ["CUDA_VISIBLE_DEVICES"] = ""
print(os.environ["CUDA_VISIBLE_DEVICES"] == "")
