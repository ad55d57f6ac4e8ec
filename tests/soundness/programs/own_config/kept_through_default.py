"""A helper makes a plain session where it is given no config; another call gives a kept one."""
import tensorflow as tf


def session(config=None):
    return tf.Session(config=config)


with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as sess:
    sess.run(tf.random_uniform([8]))
with session(tf.ConfigProto(operation_timeout_in_ms=20000)) as sess:
    sess.run(tf.random_uniform([8]))
with session() as sess:
    sess.run(tf.random_uniform([8]))
