"""Keras makes a session of its own once its own is cleared: device_count counts for the first only."""

import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Dense

config = tf.ConfigProto(device_count={"GPU": 0})
K.set_session(tf.Session(config=config))
m = Sequential([Dense(1, input_shape=(1,))])
m.compile("sgd", "mse")
m.predict([[1.0]])
K.clear_session()
m = Sequential([Dense(1, input_shape=(1,))])
m.compile("sgd", "mse")
m.predict([[1.0]])
