"""A class of the program is a strategy."""

import tensorflow as tf

class Own(tf.distribute.MirroredStrategy):
    pass


c = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
print(Own().num_replicas_in_sync)
