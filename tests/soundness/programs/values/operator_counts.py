"""A comparison counts how often it is made."""

import tensorflow as tf


class Level:
    asked = 0

    def __gt__(self, other):
        self.asked += 1
        return self.asked > other


level = Level()
config = tf.ConfigProto(allow_soft_placement=level > 0)
config.gpu_options.allow_growth = level > 1
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()), level.asked)
