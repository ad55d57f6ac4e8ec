"""A Keras program that names devices goes on in graphs: eager code has soft placement on."""
# expect: safe

import numpy as np
import tensorflow as tf
from tensorflow import keras

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
keras.backend.set_session(tf.Session(config=config))
with tf.device("/cpu:0"):
    model = keras.Sequential([keras.layers.Dense(2, input_shape=(3,))])
    model.compile("rmsprop", "mse")
    model.fit(np.zeros((4, 3)), np.zeros((4, 2)), verbose=0)
