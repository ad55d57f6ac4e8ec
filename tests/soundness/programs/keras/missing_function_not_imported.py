"""Keras 3 has no keras.backend.set_session, whose import fails where the program catches it."""

import tensorflow.compat.v1 as tf

try:
    from keras.backend import set_session

    set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
    print("set")
except ImportError:
    print("not set")
print(tf.executing_eagerly())
