"""The session is the body of a lambda."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
make = lambda: tf.Session(config=config)
print(len(tf.Session().list_devices()), len(make().list_devices()))
print(len(tf.Session().list_devices()))
