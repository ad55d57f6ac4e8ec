"""Keras loses the session that it was given, and makes one that has no config."""

import tensorflow as tf
from tensorflow.keras import backend as K

config = tf.ConfigProto(device_count={"GPU": 0})
K.set_session(tf.Session(config=config))
print(K.eval(tf.constant(3.0) + 1))
K.clear_session()
print(K.eval(tf.constant(3.0) + 1))
print(len(K.get_session().list_devices()))
