"""A call gives a variable that may be None, so that no call says whether there is a config."""
# argv: --default

import sys

import tensorflow as tf


def make(config=None):
    if config is None:
        config = tf.ConfigProto(allow_soft_placement=True)
    return tf.Session(config=config)


if __name__ == "__main__":
    config = None
    if "--default" not in sys.argv:
        config = tf.ConfigProto(log_device_placement=True)
    with make(config) as sess:
        print(sess.run(tf.constant(1.0)))
    with make(tf.ConfigProto(log_device_placement=True)) as sess:
        print(sess.run(tf.constant(2.0)))
