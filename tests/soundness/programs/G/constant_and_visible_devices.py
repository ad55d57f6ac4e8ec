"""A tensor of an eager program, then a config that hides GPUs from a graph."""
# tensorflow: 2

import tensorflow as tf

print(float(tf.reduce_sum(tf.ones([3]))))
config = tf.compat.v1.ConfigProto(device_count={"GPU": 0})
with tf.compat.v1.Session(graph=tf.Graph(), config=config) as sess:
    print(len(sess.list_devices()))
