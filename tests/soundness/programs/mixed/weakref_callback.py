"""A weak reference's callback makes a plain session when its object goes."""

import weakref

import tensorflow as tf


class Model:
    pass


def gone():
    tf.Session().run(tf.random_uniform([8]))


model = Model()
weakref.finalize(model, gone)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
model = None
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
