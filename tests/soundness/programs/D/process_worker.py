"""A worker process is forked between config and session; parent and child make one each."""

import multiprocessing

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True


def work():
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


worker = multiprocessing.get_context("fork").Process(target=work)
worker.start()
worker.join()
print(worker.exitcode)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
