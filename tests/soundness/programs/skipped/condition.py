"""A session under a condition that a config is not under."""
import tensorflow as tf


def train(grows, go):
    if grows:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    else:
        config = None
    if go:
        with tf.Session(config=config) as sess:
            print(sess.run(tf.constant(1.0)))


train(True, False)
train(False, True)
