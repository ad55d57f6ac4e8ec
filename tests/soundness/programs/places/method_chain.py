"""The session is used in the same expression, by a method that takes a plain session's answer."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
print(tf.Session(config=config).run(tf.random_uniform([len(tf.Session().list_devices())])).shape)
