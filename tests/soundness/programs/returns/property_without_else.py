"""A property gives its config in one branch, and None at its end."""
import sys, os
import contextlib
import tensorflow as tf
class A(object):
    @property
    def config(self):
        c = tf.ConfigProto(allow_soft_placement=True)
        if len(sys.argv) > 4:
            return c
with tf.Session(config=A().config) as sess:
    print(sess.run(tf.constant(1)))
