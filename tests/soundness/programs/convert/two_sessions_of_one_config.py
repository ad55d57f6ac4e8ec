"""One config at the top for the sessions of two functions; a plain one in other runs only."""
# expect: assumption

import sys

import tensorflow as tf

CONFIG = tf.ConfigProto(device_count={"GPU": 1})


def train():
    with tf.Graph().as_default(), tf.Session(config=CONFIG).as_default() as sess:
        print(len(sess.list_devices()))


def evaluate():
    with tf.Graph().as_default(), tf.Session(config=CONFIG).as_default() as sess:
        print(len(sess.list_devices()))


def look():
    with tf.Session() as sess:
        print(len(sess.list_devices()))


train()
evaluate()
if len(sys.argv) > 1:
    look()
