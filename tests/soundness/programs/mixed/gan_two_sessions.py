"""A GAN: generator and discriminator have sessions with different fractions; the first wins."""

import tensorflow as tf


def session(graph, fraction):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction)
    return tf.Session(graph=graph, config=tf.ConfigProto(gpu_options=options))


graphs = [tf.Graph(), tf.Graph()]
sessions = []
for graph, fraction in zip(graphs, (0.3, 0.6)):
    with graph.as_default():
        tf.identity(tf.random_uniform([8]), name="noise")
    sessions.append(session(graph, fraction))
for sess in sessions:
    print(sess.run("noise:0").shape)
