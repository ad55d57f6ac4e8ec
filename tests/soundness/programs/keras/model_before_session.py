"""A model of layers alone makes no session: settings behind it act on the first one."""
# expect: safe

import tensorflow as tf
from tensorflow import keras

inputs = keras.Input((3,))
hidden = keras.layers.Dense(4, activation="relu")(inputs)
both = keras.layers.concatenate([hidden, inputs])
model = keras.Model(inputs, keras.layers.Dense(2)(both))
model.compile("sgd", "mse")
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    keras.backend.set_session(sess)
    sess.run(tf.global_variables_initializer())
