"""A function returns a config on all its ways."""
# expect: safe
import sys, os
import contextlib
import tensorflow as tf
def conf():
    if len(sys.argv) > 4:
        return tf.ConfigProto(allow_soft_placement=True)
    return tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
