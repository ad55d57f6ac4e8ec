"""A Keras model that ends in an operation computes its constant in a session of Keras."""

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True

inputs = tf.keras.Input((3,))
model = tf.keras.Model(inputs, inputs + 1.0)
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
