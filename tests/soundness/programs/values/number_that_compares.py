"""A number of the program's own class makes a session when it is compared: a method by alias."""

import tensorflow as tf


def compared(self, other):
    tf.Session().close()
    return True


class Level(int):
    __gt__ = compared


level = Level(2)
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.25
verbose = level > 1
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()), verbose)
