"""A defaultdict makes plain sessions."""

import collections

import tensorflow as tf

sessions = collections.defaultdict(tf.Session)
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
print(len(sessions["eval"].list_devices()))
