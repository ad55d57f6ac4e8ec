"""TensorFlow itself is in a list: any of its functions may be called."""

import tensorflow as tf


def double(x):
    return tf.multiply(x, 2)


def build(libraries):
    for library in libraries:
        yield library.function(double)


with tf.Graph().as_default():
    for traced in build([tf]):
        print(traced(tf.placeholder(tf.float32, [])).shape)

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
