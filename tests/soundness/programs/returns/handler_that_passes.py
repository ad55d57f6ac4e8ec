"""A function returns its config, but for an error that it catches."""
import sys, os
import contextlib
import tensorflow as tf
def get():
    base = tf.ConfigProto(allow_soft_placement=True)
    try:
        sys.argv[3]
        return base
    except IndexError:
        pass
config = get()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
