"""The third argument of a Saver makes it sharded."""

import tensorflow as tf


def train():
    config = tf.ConfigProto(device_count={"GPU": 1})
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))


tf.train.Saver([tf.Variable(1.0)], False, True)
train()
