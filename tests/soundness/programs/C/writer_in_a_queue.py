"""A queue gives the method that writes the variable, with its arguments."""

import os
import queue

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


tasks = queue.Queue()
tasks.put((os.environ.__setitem__, ("CUDA_VISIBLE_DEVICES", "1")))
config = make_config()
function, arguments = tasks.get()
function(*arguments)
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
