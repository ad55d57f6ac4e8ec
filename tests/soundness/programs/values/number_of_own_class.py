"""A message takes a number as it is; the code of tf.config compares it with others."""

import tensorflow as tf


class Count(int):
    def __ge__(self, other):
        tf.Session().close()
        return False


count = Count(1)
config = tf.ConfigProto()
config.device_count["GPU"] = count
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
