"""Reading an attribute calls a descriptor, which makes the plain session."""

import tensorflow as tf


class Lazy:
    def __get__(self, instance, owner):
        return int(tf.Session().run(tf.random_uniform([8])).shape[0])


class Model:
    units = Lazy()


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
units = Model().units
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([units]))
