"""The session is only made where the left side is true: the settings must not stay otherwise."""

import sys

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 0})
cpu = len(sys.argv) > 5 and tf.Session(config=config)
with tf.Session() as sess:
    print(cpu, len(sess.list_devices()))
