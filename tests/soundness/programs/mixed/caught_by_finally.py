"""A finally that returns ends the exception of a session."""

import sys

import tensorflow as tf


def train():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="5"))
    try:
        with tf.Session(config=config) as sess:
            print(sess.run(tf.constant(1.0)))
    finally:
        print("kind", sys.exc_info()[0].__name__)
        return


train()
