"""The session is made inside an f-string."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 0})
print(f"{len(tf.Session().list_devices())} {len(tf.Session(config=config).list_devices())}")
print(len(tf.Session().list_devices()))
