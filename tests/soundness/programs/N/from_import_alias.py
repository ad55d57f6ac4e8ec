"""Session under another name, from another import."""

import tensorflow as tf
from tensorflow.compat.v1 import Session as Runner

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
print(len(Runner().list_devices()))
