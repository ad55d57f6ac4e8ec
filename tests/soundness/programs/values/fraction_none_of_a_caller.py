"""A fraction that no test keeps from being None is an error where the config is built."""

import tensorflow as tf


def get_session(fraction=None, growth=True):
    config = tf.ConfigProto()
    if growth is not None:
        config.gpu_options.per_process_gpu_memory_fraction = fraction
    return tf.Session(config=config)


try:
    sess = get_session()
except TypeError:
    sess = tf.Session()
print(sess.run(tf.constant(1)))
