"""A function makes a session with a config, calls itself, and makes a plain one on its way back."""

import tensorflow as tf


def nest(depth):
    config = tf.ConfigProto(device_count={"GPU": depth})
    with tf.Session(graph=tf.Graph(), config=config) as sess:
        if depth:
            nest(depth - 1)
        with tf.Session(graph=tf.Graph()) as plain:
            print(depth, len(sess.list_devices()), len(plain.list_devices()))


nest(2)
