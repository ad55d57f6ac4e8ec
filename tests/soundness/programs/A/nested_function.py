"""A function that another returned makes the plain session."""

import tensorflow as tf


def maker(size):
    def run():
        tf.Session().run(tf.random_uniform([size]))

    return run


run = maker(8)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
run()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
