"""A variable is set between in the module that sys.modules has."""

import sys

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


count = 1
config = tf.ConfigProto(device_count={"GPU": count})
plain()
sys.modules[__name__].count = 3
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
