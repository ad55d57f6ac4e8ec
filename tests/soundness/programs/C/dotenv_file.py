"""A file of variables is read behind the config."""

import os
import tempfile

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tempfile.NamedTemporaryFile("w+") as file:
    file.write("CUDA_VISIBLE_DEVICES=1\n")
    file.seek(0)
    for line in file:
        name, value = line.strip().split("=")
        os.environ[name] = value
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
