"""A config is copied into another one in some runs only."""
import sys
import tensorflow as tf
base = tf.ConfigProto(allow_soft_placement=True)
config = tf.ConfigProto()
if len(sys.argv) > 1:
    config.CopyFrom(base)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
