"""TensorFlow 2 has no tf.keras.backend.set_session, and the program has one of its own."""

import tensorflow.compat.v1 as tf

try:
    from tensorflow.keras.backend import set_session
except ImportError:

    def set_session(session):
        print("own", tf.executing_eagerly())


set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
