"""A function is found by getattr, which another function is given."""

import functools

import tensorflow as tf


class Tools:
    @staticmethod
    def hidden():
        with tf.Session(graph=tf.Graph()) as session:
            return len(session.list_devices())


config = tf.ConfigProto(device_count={"GPU": 0})
print(functools.reduce(getattr, "hidden".split("."), Tools)())
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
