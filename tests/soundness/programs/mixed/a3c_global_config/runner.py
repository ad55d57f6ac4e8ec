import tensorflow as tf


def run(config):
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
