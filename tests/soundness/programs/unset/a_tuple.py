"""A comma makes a tuple of the value, which ConfigProto refuses."""
import atexit

import tensorflow as tf


def run():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True,
    with tf.Session(config=config) as session:
        print(session.run(tf.constant(1)))


atexit.register(run)
