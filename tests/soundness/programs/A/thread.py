"""A thread makes the plain session between config and session."""

import threading

import tensorflow as tf


def warm_up():
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.random_uniform([8]))


config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.25
worker = threading.Thread(target=warm_up)
worker.start()
worker.join()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
