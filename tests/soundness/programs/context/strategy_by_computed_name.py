"""A strategy that a computed name finds counts the GPUs of the eager context."""

import tensorflow as tf

c = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
print(getattr(tf.distribute, "Mirrored" + "Strategy")().num_replicas_in_sync)
