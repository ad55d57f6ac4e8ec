"""A manager of the program ends an error in front of a return."""
import sys, os
import contextlib
import tensorflow as tf
class Quiet(object):
    def __enter__(self):
        return self
    def __exit__(self, *a):
        return True
def get():
    base = tf.ConfigProto(allow_soft_placement=True)
    with Quiet():
        sys.argv[3]
        return base
config = get()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
