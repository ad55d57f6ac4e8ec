"""Keras evaluates in the session that it was given, and the program asks for that session, too."""
# expect: safe

import tensorflow as tf
from tensorflow.keras import backend as K

config = tf.ConfigProto(device_count={"GPU": 0})
K.set_session(tf.Session(config=config))
value = K.placeholder(())
square = K.function([value], [value * value])
print(K.eval(tf.constant(3.0) + 1))
print(len(K.get_session().list_devices()))
print(square([2.0]))
