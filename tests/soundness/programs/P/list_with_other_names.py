"""A list is changed between by the name that the caller of a function has for it."""

import tensorflow as tf

cards = [1]


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


def train(given):
    config = tf.ConfigProto(device_count={"GPU": len(given)})
    plain()
    cards.append(2)
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))


train(cards)
