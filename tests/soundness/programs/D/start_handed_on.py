"""The method that starts a process is given to a timer before the settings."""

import multiprocessing
import threading

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def child():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()), flush=True)


worker = multiprocessing.Process(target=child)
timer = threading.Timer(0, worker.start)
config = make_config()
timer.start()
timer.join()
worker.join()
