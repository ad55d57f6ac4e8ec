"""An error is suppressed in front of a return."""
import sys, os
import contextlib
import tensorflow as tf
def get():
    base = tf.ConfigProto(allow_soft_placement=True)
    with contextlib.suppress(IndexError):
        sys.argv[3]
        return base
config = get()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
