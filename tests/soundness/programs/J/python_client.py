"""`from tensorflow.python.client import device_lib` stays as it is beside a switched import."""

import tensorflow as tf
from tensorflow.python.framework import ops

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
print(ops.get_default_graph() is tf.get_default_graph())
