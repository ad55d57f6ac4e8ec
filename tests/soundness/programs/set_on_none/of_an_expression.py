"""A setting of what a conditional expression may make None."""
import sys

import tensorflow as tf

config = tf.ConfigProto(intra_op_parallelism_threads=1) if len(sys.argv) > 1 else None
try:
    config.allow_soft_placement = True
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))
except AttributeError:
    print('no config')
