"""A setting of a variable that is None in front of two branches, which both make a config."""

# expect: safe
import sys

import tensorflow as tf

config = None
if len(sys.argv) > 1:
    config = tf.ConfigProto(intra_op_parallelism_threads=1)
else:
    config = tf.ConfigProto()
config.allow_soft_placement = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0)))
