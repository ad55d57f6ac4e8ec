"""A cluster resolver counts GPUs."""

import tensorflow as tf

c = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
print(tf.distribute.cluster_resolver.TFConfigClusterResolver().num_accelerators())
