"""Dataset.from_generator, then a session with a fraction."""

import tensorflow as tf


def rows():
    yield 1.0


with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
data = tf.data.Dataset.from_generator(rows, tf.float32)
options = tf.GPUOptions(per_process_gpu_memory_fraction=0.4)
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    sess.run(tf.random_uniform([8]))
