"""A function builds a config, and writes CUDA_VISIBLE_DEVICES before it returns that."""

import os

import tensorflow as tf


def prepare(device):
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
    os.environ["CUDA_VISIBLE_DEVICES"] = str(device)
    return config


def main():
    config = prepare(1)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)), len(sess.list_devices()))


main()
