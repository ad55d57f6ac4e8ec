"""A class takes over the constructor of another one."""

import tensorflow as tf


class Plain:
    def __init__(self):
        with tf.Session(graph=tf.Graph()) as session:
            self.count = len(session.list_devices())


class Other:
    __init__ = Plain.__init__


config = tf.ConfigProto(device_count={"GPU": 0})
print(Other().count)
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
