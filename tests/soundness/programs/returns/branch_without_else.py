"""A function returns its config in one branch, and None at its end."""
import sys, os
import contextlib
import tensorflow as tf
def get():
    base = tf.ConfigProto(allow_soft_placement=True)
    if len(sys.argv) > 1:
        return base
config = get()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
