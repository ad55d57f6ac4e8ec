"""functools.partial(tf.Session, graph=...) makes a plain session."""

import functools

import tensorflow as tf

graph = tf.Graph()
make = functools.partial(tf.Session, graph=graph)
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(tf.random_uniform([8]))
print(len(make().list_devices()))
