"""Keras makes another session, without a config, for another graph."""

import tensorflow as tf
from tensorflow.keras import backend as K

config = tf.ConfigProto(device_count={"GPU": 0})
K.set_session(tf.Session(config=config))
with tf.Graph().as_default():
    print(K.eval(tf.constant(3.0) + 1))
    print(len(K.get_session().list_devices()))
