"""The dictionary of device_count changes behind the config."""

import tensorflow as tf

counts = {"GPU": 1}
config = tf.ConfigProto(device_count=counts)
counts["GPU"] = 2
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
