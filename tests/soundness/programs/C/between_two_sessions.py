"""Written behind a session without GPUs: it counts for the GPUs of the next session."""

import os

import tensorflow as tf


def choose():
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"


with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(tf.random_uniform([8]))
choose()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
