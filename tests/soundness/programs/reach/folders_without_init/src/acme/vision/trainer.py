import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True

    def train(self):
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([4]))
