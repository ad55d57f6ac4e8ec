"""A function returns options, but for an error that is suppressed."""
import sys, os
import contextlib
import tensorflow as tf
def opts():
    o = tf.GPUOptions(allow_growth=True)
    with contextlib.suppress(IndexError):
        sys.argv[3]
        return o
config = tf.ConfigProto(gpu_options=opts())
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
