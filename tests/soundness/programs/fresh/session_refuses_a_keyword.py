"""A session has no such parameter; the plain session behind it has no limit."""

import tensorflow as tf


def make(**options):
    try:
        return tf.Session(config=config, interop_threads=2)
    except Exception as error:
        print(type(error).__name__)


config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
session = make() or tf.Session()
print(session.run(tf.random_uniform([8])).shape)
