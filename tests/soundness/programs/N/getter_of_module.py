"""A function of operator gets the class of sessions from TensorFlow."""

import functools
import operator

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
first = tf.Session(config=config)
print(len(first.list_devices()))
print(len(operator.attrgetter("Session")(tf)().list_devices()))
print(len(functools.reduce(getattr, ["Session"], tf)().list_devices()))
