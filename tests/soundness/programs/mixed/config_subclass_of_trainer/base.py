import tensorflow as tf


class Trainer:
    def config(self):
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
        return config

    def check(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            sess.run(tf.random_uniform([8]))

    def fit(self):
        config = self.config()
        self.check()
        with tf.Session(config=config) as sess:
            sess.run(tf.random_uniform([8]))
            print(len(sess.list_devices()))
