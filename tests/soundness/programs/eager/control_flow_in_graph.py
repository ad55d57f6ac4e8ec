"""Control flow in a graph of an eager program makes the GPUs before settings that come behind it."""
# tensorflow: 2

import tensorflow as tf


def model(value):
    return tf.cond(value > 1.0, lambda: value, lambda: value + 1.0)


with tf.Graph().as_default():
    there = model(tf.constant(1.0))
    config = tf.compat.v1.ConfigProto(gpu_options=tf.compat.v1.GPUOptions(allow_growth=True))
    with tf.compat.v1.Session(config=config) as sess:
        print(sess.run(there).shape)
