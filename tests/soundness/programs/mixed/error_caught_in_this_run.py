"""A handler catches the error of a list that is refused, and the program goes on."""

import os

import tensorflow as tf


def make(gpus):
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = gpus
    return tf.Session(config=config)


def main():
    try:
        make(os.environ.get("RANK", "7"))
    except tf.errors.OpError:
        print("no GPU")


main()
