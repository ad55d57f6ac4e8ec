"""The session is made in an assert, and in its message never."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
assert len(tf.Session(config=config).list_devices()) == 2, tf.Session(config=config)
print(len(tf.Session().list_devices()))
