"""A strategy counts the GPUs of the eager context, behind a session with one GPU."""

import tensorflow as tf

c = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
print(tf.distribute.MirroredStrategy().num_replicas_in_sync)
