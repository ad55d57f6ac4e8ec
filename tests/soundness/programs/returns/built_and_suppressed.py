"""A config is built, and an error suppressed in front of its return."""
import sys, os
import contextlib
import tensorflow as tf
def get():
    with contextlib.suppress(IndexError):
        base = tf.ConfigProto(allow_soft_placement=True)
        sys.argv[3]
        return base
config = get()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
