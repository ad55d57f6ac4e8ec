"""Keras' session hides a GPU; later TensorFlow makes a plain session for the export."""

import tensorflow as tf
from keras import backend as K

config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
K.set_session(tf.Session(config=config))
print(len(K.get_session().list_devices()))
with tf.Session(graph=tf.Graph()) as sess:
    print(len(sess.list_devices()))
