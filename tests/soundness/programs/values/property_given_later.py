"""A property that a class gets behind its body makes a session between config and session."""

import tensorflow as tf


class Options:
    pass


def read(self):
    tf.Session().close()
    return 1


Options.level = property(read)
options = Options()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.25
level = options.level
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()), level)
