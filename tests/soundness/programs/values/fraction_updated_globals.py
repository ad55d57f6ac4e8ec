"""A constant gets another value through `globals().update`."""

import argparse

import tensorflow as tf

FRACTION = 0.4

parser = argparse.ArgumentParser()
parser.add_argument("--FRACTION", type=float, default=1.5)
globals().update(vars(parser.parse_args([])))

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = FRACTION
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
