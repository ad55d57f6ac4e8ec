"""A function that makes a plain session is called by another name between config and session."""

import tensorflow as tf


def other():
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8]))


alias = other
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
alias()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
