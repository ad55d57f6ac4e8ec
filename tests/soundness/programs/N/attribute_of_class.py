"""A special attribute of a class of sessions gives that class."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
first = tf.Session(config=config)
print(len(first.list_devices()))
print(len(tf.Session.__mro__[0]().list_devices()))
