"""A computed name finds the listing of logical devices."""

import tensorflow as tf

c = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
name = "list_" + "logical_devices"
print(len(getattr(tf.config, name)()))
