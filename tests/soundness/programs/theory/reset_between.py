"""Session.reset, reset_default_graph and close between sessions make no GPU anew."""

import tensorflow as tf


def run(fraction):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction)
    sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
    sess.run(tf.random_uniform([8]))
    sess.close()
    tf.reset_default_graph()
    tf.Session.reset("")


run(0.25)
run(0.75)
