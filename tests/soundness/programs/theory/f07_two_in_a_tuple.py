"""Two sessions of one assignment."""

import tensorflow as tf

a, b = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})), tf.Session()
print(len(a.list_devices()), len(b.list_devices()))
