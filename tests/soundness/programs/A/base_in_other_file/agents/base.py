import tensorflow as tf


class Base:
    def __init__(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))
