"""A parameter gives a value that protobuf refuses, and a caller catches the error."""
import sys

import tensorflow as tf


def build(growth):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = growth
    return config


def main():
    with tf.Session(config=build(None)) as sess:
        print(sess.run(tf.constant(1)))


try:
    main()
except TypeError:
    print("bad value")
    sys.exit(3)
