"""A function that forks is found in an object of Python."""

import os
import types

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


tools = types.SimpleNamespace(split=os.fork)
config = make_config()
pid = tools.split()
if pid:
    os.waitpid(pid, 0)
    os._exit(0)
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
