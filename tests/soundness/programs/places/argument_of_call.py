"""The session is an argument; another argument makes a plain one before it, one behind it."""

import tensorflow as tf


def devices(*sessions):
    return [len(sess.list_devices()) for sess in sessions]


config = tf.ConfigProto(device_count={"GPU": 0})
print(devices(tf.Session(), tf.Session(config=config), tf.Session()))
