"""An empty config is replaced on some calls, each of which makes its session."""

# expect: safe

import tensorflow as tf


def train(mode):
    config = tf.ConfigProto()
    if mode:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0) + 1.0))


train(0)
train(1)
