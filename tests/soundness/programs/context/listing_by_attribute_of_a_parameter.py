"""A parameter is the module that lists logical devices."""

import tensorflow as tf

def count(module):
    return len(module.list_logical_devices())


c = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
print(count(tf.config))
