"""functools.singledispatch chooses the function that makes the plain session."""

import functools

import tensorflow as tf


@functools.singledispatch
def show(value):
    print(value)


@show.register(int)
def _(value):
    tf.Session().run(tf.random_uniform([value]))


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
show(3)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
