"""A function that is called between two sessions of a config makes one of another config."""

import tensorflow as tf


def evaluate():
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(2)))


def main():
    config = tf.ConfigProto(log_device_placement=True)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))
    evaluate()
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(3)))


main()
