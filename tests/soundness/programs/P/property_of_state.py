"""A property returns something that is changed between."""

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


class Options:
    number = 1

    @property
    def gpus(self):
        return self.number


options = Options()
config = tf.ConfigProto(device_count={"GPU": options.gpus})
plain()
options.number = 3
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
