"""A handler would catch the error of a list that is refused; this run's list is not."""
# expect: assumption

import os

import tensorflow as tf


def make(gpus):
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = gpus
    return tf.Session(config=config)


def main():
    try:
        with make(os.environ.get("RANK", "0")) as sess:
            sess.run(tf.random_uniform([8]))
    except tf.errors.OpError:
        print("no GPU")


main()
