"""The child makes a plain session; the config is the parent's."""

import multiprocessing

import tensorflow as tf


def work():
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8]))


config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.4))
worker = multiprocessing.get_context("fork").Process(target=work)
worker.start()
worker.join()
print(worker.exitcode)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
