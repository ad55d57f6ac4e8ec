"""A method that changes a list is called between by another name."""

import tensorflow as tf


def plain():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


cards = [1]
add = cards.append
config = tf.ConfigProto(device_count={"GPU": len(cards)})
plain()
add(2)
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
