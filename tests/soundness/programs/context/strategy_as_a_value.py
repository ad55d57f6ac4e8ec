"""A strategy is called by another name than its own."""

import tensorflow as tf

MADE = {"m": tf.distribute.MirroredStrategy}
c = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
print(MADE["m"]().num_replicas_in_sync)
