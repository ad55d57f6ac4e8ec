"""A constructor gives up before it has set everything, and its config is used all the same."""
import sys

import tensorflow as tf

config = tf.ConfigProto()


def prepare():
    config.allow_soft_placement = True
    if len(sys.argv) < 2:
        return
    config.device_count["GPU"] = 1


def run():
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))


prepare()
run()
