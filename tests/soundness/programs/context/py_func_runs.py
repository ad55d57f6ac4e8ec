"""A py_func runs in a plain session; then a session without GPUs."""

import numpy as np
import tensorflow as tf

with tf.device("/cpu:0"):
    value = tf.py_func(lambda: np.float32(2.0), [], tf.float32)
with tf.Session() as sess:
    print(sess.run(value))
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    print(len(sess.list_devices()))
