"""A descriptor returns something that is changed between."""

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


class Number:
    now = 1

    def __get__(self, owner, kind):
        return self.now


class Options:
    gpus = Number()


options = Options()
config = tf.ConfigProto(device_count={"GPU": options.gpus})
plain()
Number.now = 3
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
