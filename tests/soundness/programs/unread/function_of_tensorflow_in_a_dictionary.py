"""`tf.function` is a value of a dictionary: what it wraps makes the eager context in graph mode."""

import tensorflow as tf

WRAPPERS = {"traced": tf.function}


def build(name):
    return WRAPPERS[name]


def double(x):
    return tf.multiply(x, 2)


wrap = build("traced")
traced = wrap(double)
with tf.Graph().as_default():
    print(traced(tf.placeholder(tf.float32, [])).shape)

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
