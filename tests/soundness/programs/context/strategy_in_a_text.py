"""A text that is run makes a strategy."""

import tensorflow as tf

c = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
print(eval("tf.distribute.MirroredStrategy()").num_replicas_in_sync)
