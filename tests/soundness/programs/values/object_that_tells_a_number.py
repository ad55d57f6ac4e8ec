"""A message asks an object for its number; the code of tf.config takes no such objects."""

import tensorflow as tf


class Count:
    __index__ = lambda self: 1  # noqa: E731


count = Count()
config = tf.ConfigProto()
config.device_count["GPU"] = count
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
