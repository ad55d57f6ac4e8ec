"""Defining a subclass calls __init_subclass__, which makes the plain session."""

import tensorflow as tf


class Registry:
    def __init_subclass__(cls):
        super().__init_subclass__()
        tf.Session().run(tf.random_uniform([8]))


config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


class Model(Registry):
    pass


with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
