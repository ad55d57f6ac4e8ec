"""next() runs the part of a generator that makes the plain session."""

import tensorflow as tf


def batches():
    while True:
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))
        yield 1


source = batches()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
next(source)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
