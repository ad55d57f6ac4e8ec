"""max calls a function of the program, which makes a session between."""

import tensorflow as tf


def score(value):
    with tf.Session() as sess:
        return value + len(sess.list_devices())


config = tf.ConfigProto(device_count={"GPU": 1})
best = max([1, 2], key=score)
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()), best)
