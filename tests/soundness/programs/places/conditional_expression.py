"""The session with the config is one branch of an expression."""

import sys

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
sess = tf.Session(config=config) if len(sys.argv) > 5 else tf.Session()
print(len(sess.list_devices()))
