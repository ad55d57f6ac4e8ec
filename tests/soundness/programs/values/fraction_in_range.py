"""Every call gives a fraction from 0.01 to 1, or leaves the default."""
# expect: safe
# argv: more

import sys

import tensorflow as tf


def options(fraction=0.25):
    if fraction:
        fraction = fraction
    return tf.GPUOptions(per_process_gpu_memory_fraction=fraction)


def session(fraction):
    return tf.Session(config=tf.ConfigProto(gpu_options=options(fraction=fraction)))


with session(0.5 if len(sys.argv) > 1 else 0) as sess:
    sess.run(tf.random_uniform([8]))
