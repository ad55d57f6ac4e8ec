"""A setting of a variable that one branch makes None."""
import sys

import tensorflow as tf

if len(sys.argv) > 1:
    config = tf.ConfigProto(intra_op_parallelism_threads=1)
else:
    config = None
try:
    config.allow_soft_placement = True
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))
except AttributeError:
    print('no config')
