"""The module posix has the function that forks, too."""

import os
import posix

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


config = make_config()
pid = posix.fork()
if pid:
    os.waitpid(pid, 0)
    os._exit(0)
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
