"""A text that is evaluated calls the function with the plain session."""

import tensorflow as tf


def hidden():
    with tf.Session(graph=tf.Graph()) as session:
        return len(session.list_devices())


config = tf.ConfigProto(device_count={"GPU": 0})
print(eval("hidden()"))
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
