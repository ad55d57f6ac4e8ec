"""re.sub calls a function, which makes the plain session."""

import re

import tensorflow as tf


def size(match):
    return str(tf.Session().run(tf.random_uniform([int(match[0])])).shape[0])


config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
text = re.sub(r"\d", size, "a1")
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([len(text)]))
