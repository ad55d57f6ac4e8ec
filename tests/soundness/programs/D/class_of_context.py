"""The class of a process inherits from that of a context of multiprocessing."""

import multiprocessing

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def child():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()), flush=True)


class Worker(multiprocessing.get_context("fork").Process):
    def run(self):
        child()


worker = Worker()
config = make_config()
worker.start()
worker.join()
