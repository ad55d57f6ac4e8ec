"""A function writes CUDA_VISIBLE_DEVICES, and then builds the config that it returns."""
# expect: safe

import os

import tensorflow as tf


def prepare(device):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(device)
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
    return config


def main():
    config = prepare(1)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)), len(sess.list_devices()))


main()
