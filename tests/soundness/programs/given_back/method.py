"""A method has the name of one of strategies, and returns the config that it is given."""

import tensorflow as tf


class Trainer:
    def __init__(self, fraction):
        self.fraction = fraction

    def configure(self, config):
        config.gpu_options.per_process_gpu_memory_fraction = self.fraction
        return config

    def run(self):
        with tf.Session(config=self.configure(tf.ConfigProto())) as sess:
            print(sess.run(tf.constant(1)))


Trainer(0.25).run()
