import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)

    def run(self):
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([8]))
