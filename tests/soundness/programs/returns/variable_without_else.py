"""A function returns the config of its module in one branch."""
import sys, os
import contextlib
import tensorflow as tf
C = tf.ConfigProto(allow_soft_placement=True)
def config():
    if len(sys.argv) > 4:
        return C
with tf.Session(config=config()) as sess:
    print(sess.run(tf.constant(1)))
