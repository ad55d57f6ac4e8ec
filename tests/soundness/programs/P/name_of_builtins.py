"""A name that the program adds to Python's own is changed between."""

import builtins

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


builtins.count = 1
config = tf.ConfigProto(device_count={"GPU": count})
plain()
builtins.count = 3
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
