"""MergeFrom merges maps key by key."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1, "CPU": 1})
config.MergeFrom(tf.ConfigProto(device_count={"GPU": 2}))
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
