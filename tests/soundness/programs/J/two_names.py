"""TensorFlow under two names in one file, one of them imported in a function."""

import tensorflow as tf


def noise():
    import tensorflow

    return tensorflow.random_uniform([8])


config = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=config) as sess:
    sess.run(noise())
