import tensorflow as tf


class Model:
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True

    def __del__(self):
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([8]))
