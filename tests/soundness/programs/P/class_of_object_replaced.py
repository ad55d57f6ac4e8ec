"""An object gets another class between, whose attribute it then has."""

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


class Few:
    gpus = 1


class Many:
    gpus = 3


options = Few()
config = tf.ConfigProto(device_count={"GPU": options.gpus})
plain()
options.__class__ = Many
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
