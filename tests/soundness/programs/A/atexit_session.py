"""A function of atexit makes a plain session behind the one with the config."""

import atexit

import tensorflow as tf


def finish():
    with tf.Session() as sess:
        print([device.device_type for device in sess.list_devices()])


atexit.register(finish)
config = tf.ConfigProto(device_count={"GPU": 0})
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
atexit._run_exitfuncs()
