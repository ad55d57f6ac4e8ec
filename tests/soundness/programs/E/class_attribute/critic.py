import tensorflow as tf


class Critic:
    def run(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))
