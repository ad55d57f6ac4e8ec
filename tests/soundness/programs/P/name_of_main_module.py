"""A variable is set between as an attribute of the module that is run."""

import __main__
import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


count = 1
config = tf.ConfigProto(device_count={"GPU": count})
plain()
__main__.count = 3
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
