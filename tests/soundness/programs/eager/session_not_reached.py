"""Eager code runs where the session of a config is not made at all."""
# tensorflow: 2

import sys

import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
if len(sys.argv) > 1:
    with tf.Graph().as_default():
        sess = tf.compat.v1.Session(config=config)
        print(sess.run(tf.constant(1.0)))
print((tf.constant(1.0) + 2.0).numpy())
