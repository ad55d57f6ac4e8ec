"""A function that is called between config and session rebinds the global of the value."""

import tensorflow as tf

share = 0.25


def load():
    global share
    share = 0.75


config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=share))
load()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
