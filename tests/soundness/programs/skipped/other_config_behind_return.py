"""A config is built and given to no session; a later call gives its session an empty one."""

import tensorflow as tf


def train(mode):
    if mode:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        if mode > 1:
            return
    else:
        config = tf.ConfigProto()
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0) + 1.0))


train(2)
train(0)
