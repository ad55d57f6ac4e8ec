"""A setting of a variable that is None where no condition holds."""
import sys

import tensorflow as tf

config = None
if len(sys.argv) > 1:
    config = tf.ConfigProto(intra_op_parallelism_threads=1)
try:
    config.allow_soft_placement = True
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))
except AttributeError:
    print('no config')
