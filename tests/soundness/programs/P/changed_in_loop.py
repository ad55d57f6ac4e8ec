"""A session in a loop takes what the config had before the loop, which changes the variable."""

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


count = 0
config = tf.ConfigProto(device_count={"GPU": count})
while count < 2:
    plain()
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))
    count += 1
