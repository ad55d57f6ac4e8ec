"""tensorflow.python.client.session.Session makes a plain session."""

import tensorflow as tf
from tensorflow.python.client import session

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
print(len(session.Session().list_devices()))
