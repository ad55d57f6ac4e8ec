"""A list holds the module that starts processes."""

import multiprocessing

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def child():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()), flush=True)


libraries = [multiprocessing]
config = make_config()
worker = libraries[0].Process(target=child)
worker.start()
worker.join()
