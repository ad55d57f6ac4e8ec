"""One `with` makes a session with a config and a plain one."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as first, tf.Session() as second:
    print(len(first.list_devices()), len(second.list_devices()))
