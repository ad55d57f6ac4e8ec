"""A function sets a field of what it is given, which may be None."""
import sys

import tensorflow as tf


def tune(given):
    given.allow_soft_placement = True


config = None
if len(sys.argv) > 1:
    config = tf.ConfigProto(intra_op_parallelism_threads=1)
try:
    tune(config)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))
except AttributeError:
    print('no config')
