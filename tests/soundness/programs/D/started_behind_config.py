"""A process is made before the settings, and starts between them and its session."""

import multiprocessing

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def child():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()), flush=True)


worker = multiprocessing.Process(target=child)
config = make_config()
worker.start()
worker.join()
