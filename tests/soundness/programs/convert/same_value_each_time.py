"""A function that is called in a loop builds a config with the same value each time."""
# expect: assumption

import sys

import tensorflow as tf


def load(batch, fraction):
    with tf.Graph().as_default():
        options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction)
        sess = tf.Session(config=tf.ConfigProto(gpu_options=options, log_device_placement=False))
        with sess.as_default():
            return sess.run(tf.reduce_sum(tf.ones([batch])))


def main(fraction):
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.ones([2]))
        for batch in range(1, 4):
            print(load(batch, fraction))


main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.25)
