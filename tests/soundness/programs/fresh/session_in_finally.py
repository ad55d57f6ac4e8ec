"""TensorFlow refuses the graph of a session, and `finally` makes a plain one."""

import sys

import tensorflow as tf


def leave():
    sys.exit(0)


config = tf.ConfigProto(allow_soft_placement=True)
try:
    session = tf.Session(graph="train", config=config)
finally:
    with tf.Session() as session:
        print(len(session.list_devices()))
    leave()
