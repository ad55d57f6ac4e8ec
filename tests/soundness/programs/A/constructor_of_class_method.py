"""A class method makes another object of its class, whose constructor makes the plain session."""

import tensorflow as tf


class Model:
    def __init__(self, units):
        self.units = units
        self.session = tf.Session() if units > 1 else None

    @classmethod
    def grown(cls):
        return cls(2)


model = Model(1)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
model.grown()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
