"""Running a py_func makes an eager context on TensorFlow 2; the same function runs twice."""

import numpy as np
import tensorflow as tf


def train():
    with tf.Graph().as_default():
        with tf.device("/cpu:0"):
            value = tf.py_func(lambda: np.float32(1.0), [], tf.float32)
        config = tf.ConfigProto(device_count={"GPU": 1})
        with tf.Session(config=config) as sess:
            print(sess.run(value), len(sess.list_devices()))


with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
train()
train()
