"""Eager execution is turned on by a module that TensorFlow has inside."""

import tensorflow as tf
from tensorflow.python.framework import ops


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


config = make_config()
ops.enable_eager_execution()
sess = tf.Session(config=config)
try:
    print(sess.run(tf.random_uniform([8])).shape)
except (RuntimeError, TypeError) as error:
    print(type(error).__name__)
print(len(sess.list_devices()))
