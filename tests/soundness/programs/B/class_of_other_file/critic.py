import tensorflow as tf


class Critic:
    def __init__(self):
        self.sess = tf.Session()

    def score(self):
        print(len(self.sess.list_devices()))
        self.sess.run(tf.random_uniform([8]))
