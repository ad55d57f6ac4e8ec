"""A method of the program has the name of one of texts, and makes a session between."""

import tensorflow as tf


class Data:
    def split(self):
        with tf.Session() as sess:
            print(len(sess.list_devices()))


data = Data()
config = tf.ConfigProto(device_count={"GPU": 1})
data.split()
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
