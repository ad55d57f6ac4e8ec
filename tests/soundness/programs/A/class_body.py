"""The body of a class runs a function that makes the plain session."""

import tensorflow as tf


def size():
    return int(tf.Session().run(tf.random_uniform([8])).shape[0])


config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4


class Model:
    units = size()


with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([Model.units]))
