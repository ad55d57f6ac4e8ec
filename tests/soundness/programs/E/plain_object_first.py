"""An object without a config makes its session behind the constructor of one that has a config."""
import tensorflow as tf


class Trainer:
    def __init__(self, small):
        self.config = None
        if small:
            self.config = tf.ConfigProto()
            self.config.gpu_options.allow_growth = True

    def run(self):
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([8]))


one = Trainer(True)
other = Trainer(False)
other.run()
one.run()
