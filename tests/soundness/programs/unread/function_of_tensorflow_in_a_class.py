"""`tf.function` has another name in a class: what it wraps makes the eager context in graph mode."""

import tensorflow as tf


class Tools:
    trace = tf.function


def double(x):
    return tf.multiply(x, 2)


def build(tools):
    return tools.trace(double)


traced = build(Tools)
with tf.Graph().as_default():
    print(traced(tf.placeholder(tf.float32, [])).shape)

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
