"""A session takes its config from an object that is made for it, whose constructor builds it."""

import tensorflow as tf


class Settings:
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        self.config.allow_soft_placement = True


with tf.Session(config=Settings().config) as sess:
    print(sess.run(tf.ones([4])))
