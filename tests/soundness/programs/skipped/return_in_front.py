"""A function returns in front of the session for which it has a config, and has none next time."""
import tensorflow as tf


def train(grows, go):
    config = None
    if grows:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    if not go:
        return
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


train(True, False)
train(False, True)
