"""A function returns options in one branch, and None at its end."""
import sys, os
import contextlib
import tensorflow as tf
def opts():
    o = tf.GPUOptions(allow_growth=True)
    if len(sys.argv) > 1:
        return o
config = tf.ConfigProto(gpu_options=opts())
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
