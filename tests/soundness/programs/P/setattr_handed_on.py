"""setattr is given to a function that calls it between."""

import types

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


options = types.SimpleNamespace(gpus=1)
config = tf.ConfigProto(device_count={"GPU": options.gpus})
plain()
list(map(setattr, [options], ["gpus"], [3]))
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
