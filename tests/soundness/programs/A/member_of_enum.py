"""The members of an enum are made where it is defined."""

import enum

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 0})


class Device(enum.Enum):
    FIRST = 1

    def __init__(self, number):
        with tf.Session(graph=tf.Graph()) as session:
            self.count = len(session.list_devices())


sess = tf.Session(config=config)
print(sess.run(tf.constant(1)), Device.FIRST.count)
