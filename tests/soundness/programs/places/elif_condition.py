"""The session is made in an `elif`: only where the `if` was false."""

import sys

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 0})
if len(sys.argv) < 5:
    print("few arguments")
elif len(tf.Session(config=config).list_devices()) == 1:
    print("cpu")
print(len(tf.Session().list_devices()))
