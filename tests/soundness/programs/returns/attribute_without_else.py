"""A method returns the config of its object in one branch."""
import sys, os
import contextlib
import tensorflow as tf
class A(object):
    def __init__(self):
        self.c = tf.ConfigProto(allow_soft_placement=True)
    def config(self):
        if len(sys.argv) > 4:
            return self.c
with tf.Session(config=A().config()) as sess:
    print(sess.run(tf.constant(1)))
