"""An argument of a session makes one of another config, between two sessions of the first one."""

import tensorflow as tf

config = tf.ConfigProto(log_device_placement=True)
other = tf.ConfigProto(allow_soft_placement=True)


def build():
    with tf.Session(config=other) as sess:
        print(sess.run(tf.constant(2)))
    return tf.get_default_graph()


with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
with tf.Session(graph=build(), config=config) as sess:
    print(sess.run(tf.constant(3)))
