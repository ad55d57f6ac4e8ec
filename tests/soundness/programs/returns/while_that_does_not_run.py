"""A function returns its config in a while loop that does not run."""
import sys, os
import contextlib
import tensorflow as tf
def get():
    base = tf.ConfigProto(allow_soft_placement=True)
    while len(sys.argv) > 1:
        return base
config = get()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
