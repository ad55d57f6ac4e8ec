"""An empty config is replaced on some calls, of which one makes no session."""

import tensorflow as tf


def train(mode):
    config = tf.ConfigProto()
    if mode:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        if mode > 1:
            return
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0) + 1.0))


train(2)
train(0)
