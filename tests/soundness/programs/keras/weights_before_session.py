"""Keras makes a session for weights that are read, and only then is given one with growth."""

import tensorflow as tf
from tensorflow.keras import backend as K

model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
weights = model.get_weights()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
