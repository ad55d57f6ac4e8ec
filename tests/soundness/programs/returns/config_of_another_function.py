"""A function returns in one branch what another one has built."""
import sys, os
import contextlib
import tensorflow as tf
def inner():
    return tf.ConfigProto(allow_soft_placement=True)
def config():
    c = inner()
    if len(sys.argv) > 4:
        return c
with tf.Session(config=config()) as sess:
    print(sess.run(tf.constant(1)))
