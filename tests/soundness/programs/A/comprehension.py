"""A comprehension calls the function that makes a plain session."""

import tensorflow as tf


def length(seed):
    return int(tf.Session().run(tf.random_uniform([8], seed=seed)).shape[0])


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
lengths = [each(1) for each in (length,)]
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform(lengths))
