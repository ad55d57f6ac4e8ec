"""A variable has no config in this run; the NameError of that is caught."""

import sys

import tensorflow as tf


def main(number):
    if len(sys.argv) > 4:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    if number:
        try:
            with tf.Session(config=config) as sess:
                print(sess.run(tf.constant(1)))
        except Exception as error:
            print(type(error).__name__)
    else:
        try:
            sess = tf.Session(config=config)
        except NameError:
            print("no config")


main(0)
main(1)
