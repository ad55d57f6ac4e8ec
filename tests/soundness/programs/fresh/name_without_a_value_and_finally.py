"""What has no value ends the program before its session, and `finally` makes another one."""

import sys

import tensorflow as tf


def leave():
    sys.exit(0)


try:
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.3
    scale = rate  # noqa: F821
    session = tf.Session(config=config)
finally:
    with tf.Session() as session:
        print(session.run(tf.constant(2)))
    leave()
