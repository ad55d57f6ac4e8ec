import tensorflow as tf


class Base:
    def __init__(self):
        self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))

    def train(self):
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([8]))
