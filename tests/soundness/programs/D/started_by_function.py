"""A function starts the process that it is given, between the settings and their session."""

import multiprocessing

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def child():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()), flush=True)


def launch(worker):
    worker.start()
    worker.join()


process = multiprocessing.Process(target=child)
config = make_config()
launch(process)
