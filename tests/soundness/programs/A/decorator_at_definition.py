"""A decorator runs when the function is defined, between config and session."""

import tensorflow as tf


def register(function):
    tf.Session().run(tf.random_uniform([8]))
    return function


config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


@register
def step():
    print("step")


step()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
