"""A function of TensorFlow is found by a name of a run: it makes the eager context."""
# argv: function

import sys

import tensorflow as tf


def double(x):
    return tf.multiply(x, 2)


wrap = getattr(tf, sys.argv[1])
traced = wrap(double)
with tf.Graph().as_default():
    print(traced(tf.placeholder(tf.float32, [])).shape)

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
