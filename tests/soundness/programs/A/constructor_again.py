"""A method runs the constructor of its object again, which makes the plain session then."""

import tensorflow as tf


class Model:
    def __init__(self, units):
        self.units = units
        self.session = tf.Session() if units > 1 else None

    def grow(self):
        self.__init__(2)


model = Model(1)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
model.grow()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
