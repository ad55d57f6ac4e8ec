"""Keras 3 has no keras.backend.set_session, and the program goes on without it."""

import tensorflow.compat.v1 as tf
from keras import backend as K


def setup():
    K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
    print("set")


try:
    setup()
except Exception:
    print("not set")
print(tf.executing_eagerly())
