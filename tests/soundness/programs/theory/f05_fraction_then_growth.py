"""Fraction first, growth later: the later one is ignored and must not raise."""

import tensorflow as tf


def run(**options):
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(**options))
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


run(per_process_gpu_memory_fraction=0.25)
run(allow_growth=True)
print("done")
