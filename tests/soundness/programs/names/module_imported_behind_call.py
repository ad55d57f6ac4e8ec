"""A function runs before the import of a module that its settings need."""

import tensorflow as tf


def main():
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


main()

import ctypes

print(ctypes.sizeof(ctypes.c_int) > 0)
