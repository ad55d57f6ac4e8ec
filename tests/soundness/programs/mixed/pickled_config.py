"""A config goes through SerializeToString, as to another process."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
data = config.SerializeToString()
received = tf.ConfigProto.FromString(data)
with tf.Session(config=received) as sess:
    print(len(sess.list_devices()))
