"""`if x: sess = ...` in one line, with a semicolon."""

import sys

import tensorflow as tf

config = tf.ConfigProto(); config.device_count["GPU"] = 1
if len(sys.argv) > 5: sess = tf.Session(config=config); print(len(sess.list_devices()))
else: print("no session")
print(len(tf.Session().list_devices()))
