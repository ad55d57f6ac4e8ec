import functools

import tensorflow as tf


def _fit(config):
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


def prepare():
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.4
    return functools.partial(_fit, config)
