"""K.get_session() makes a session from the defaults."""

import tensorflow as tf
from tensorflow.keras import backend as K

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(tf.random_uniform([8]))
print(len(K.get_session().list_devices()))
