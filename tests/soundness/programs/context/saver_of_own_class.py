"""A class of the program that inherits from Saver makes it sharded."""

import tensorflow as tf


class Parts(tf.train.Saver):
    def __init__(self, variables):
        super().__init__(variables, sharded=True)


def train():
    config = tf.ConfigProto(device_count={"GPU": 1})
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))


Parts([tf.Variable(1.0)])
train()
