"""The length of an object is something that is changed between."""

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


class Cards:
    number = 1

    def __len__(self):
        return self.number


cards = Cards()
config = tf.ConfigProto(device_count={"GPU": len(cards)})
plain()
cards.number = 3
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
