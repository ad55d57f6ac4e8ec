"""A class whose `__getitem__` makes the eager context stands, and is used, in front of the config."""

import tensorflow as tf


class Table:
    def __getitem__(self, key):
        return tf.constant(key) + 1


print(int(Table()[1]))
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
session = tf.compat.v1.Session(config=config)
