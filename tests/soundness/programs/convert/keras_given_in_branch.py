"""Keras is given a session in a branch, where the settings stand, too."""
# expect: safe

import sys

import tensorflow as tf
from tensorflow.keras import backend as K

config = tf.ConfigProto(device_count={"GPU": 0})
if len(sys.argv) > 5:
    K.set_session(tf.Session(config=config))
print(K.eval(tf.constant(3.0) + 1))
print(len(K.get_session().list_devices()))
