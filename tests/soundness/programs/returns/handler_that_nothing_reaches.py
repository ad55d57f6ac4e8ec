"""Nothing between the constructor and the return can fail."""
# expect: safe
import sys, os
import contextlib
import tensorflow as tf
def conf():
    try:
        c = tf.ConfigProto(allow_soft_placement=True)
        return c
    except ValueError:
        print(1)
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
