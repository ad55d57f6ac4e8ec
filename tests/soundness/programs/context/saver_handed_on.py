"""functools.partial makes a sharded Saver, of TensorFlow's own module."""

import functools

import tensorflow as tf
from tensorflow.python.training.saver import Saver


def train():
    config = tf.ConfigProto(device_count={"GPU": 1})
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))


functools.partial(Saver, sharded=True)([tf.Variable(1.0)])
train()
