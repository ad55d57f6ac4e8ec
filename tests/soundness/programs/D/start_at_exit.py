"""A process is started at the exit of its parent, which has made the settings by then."""

import atexit
import multiprocessing as mp

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def child():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.random_uniform([8])).shape, flush=True)


process = mp.Process(target=child)
atexit.register(process.start)
config = make_config()
