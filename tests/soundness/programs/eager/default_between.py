"""A function of TensorFlow is the default of a parameter, and runs before the session."""

import tensorflow as tf

v1 = tf.compat.v1


def summed(values, add=tf.add_n):
    return add(values)


config = v1.ConfigProto()
config.gpu_options.allow_growth = True
print(summed([1.0, 2.0]).dtype)
with tf.Graph().as_default():
    two = tf.constant(1.0) + 1.0
    with v1.Session(config=config) as sess:
        print(sess.run(two))
