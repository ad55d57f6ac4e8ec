"""An attribute is found in a dictionary that is changed between."""

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


VALUES = {"gpus": 1}


class Options:
    def __getattr__(self, name):
        return VALUES[name]


options = Options()
config = tf.ConfigProto(device_count={"GPU": options.gpus})
plain()
VALUES["gpus"] = 3
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
