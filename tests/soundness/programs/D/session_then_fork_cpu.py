"""The parent's session hides all GPUs; the child makes one with growth."""

import multiprocessing

import tensorflow as tf


def work():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


config = tf.ConfigProto(device_count={"GPU": 0})
worker = multiprocessing.get_context("fork").Process(target=work)
worker.start()
worker.join(20)
print(worker.exitcode)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
