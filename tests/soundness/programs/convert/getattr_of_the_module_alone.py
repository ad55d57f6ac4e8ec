"""A call that lacks an argument, and that no run comes to."""

# expect: safe

import sys

import tensorflow as tf

if len(sys.argv) > 5:
    getattr(tf)
c = tf.ConfigProto()
c.gpu_options.allow_growth = True
with tf.Session(config=c) as s:
    print(len(s.list_devices()))
