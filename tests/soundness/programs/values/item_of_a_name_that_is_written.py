"""A function puts another item into the dictionary before its fields are unpacked."""

import tensorflow as tf

DEFAULTS = {"session": {"log_device_placement": False}}


def use(key, value):
    DEFAULTS[key] = value


use("session", {"device_count": {"GPU": 1}})
with tf.Session(config=tf.ConfigProto(**DEFAULTS["session"])) as sess:
    print(len(sess.list_devices()))
