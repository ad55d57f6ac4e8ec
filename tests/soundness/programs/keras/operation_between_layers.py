"""A function hands a layer what an operation made of a Keras tensor."""

import tensorflow as tf
from tensorflow.keras import layers

config = tf.ConfigProto()
config.gpu_options.allow_growth = True


def scaled(inputs, layer):
    return layer(inputs * 2.0)


hidden = scaled(layers.Input((3,), name="features"), layers.Dense(2))
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
