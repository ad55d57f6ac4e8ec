"""A function in one line."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
def make(): return tf.Session(config=config)
print(len(make().list_devices()))
print(len(tf.Session().list_devices()))
