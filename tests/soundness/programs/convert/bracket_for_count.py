"""device_count of one session, a plain session of the same file behind it: the bracket is exact."""
# expect: safe

import tensorflow as tf


def train():
    config = tf.ConfigProto(device_count={"GPU": 1})
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        print(len(sess.list_devices()))


def evaluate():
    with tf.Graph().as_default(), tf.Session() as sess:
        print(len(sess.list_devices()))


train()
evaluate()
