"""An error that is caught is shown by a hook of the program, which makes the plain session."""

import sys

import tensorflow as tf


def report(kind, error, trace):
    tf.Session().run(tf.random_uniform([8]))
    print(kind.__name__)


sys.excepthook = report
config = tf.ConfigProto(device_count={"GPU": 0})
try:
    raise ValueError("wrong")
except ValueError:
    sys.excepthook(*sys.exc_info())
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
