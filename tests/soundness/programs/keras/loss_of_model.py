"""A loss that a model is given is an operation on its tensors."""

import tensorflow as tf
from tensorflow import keras

config = tf.ConfigProto()
config.gpu_options.allow_growth = True

inputs = keras.Input((3,))
model = keras.Model(inputs, keras.layers.Dense(2)(inputs))
model.add_loss(tf.reduce_mean(model.output))
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
