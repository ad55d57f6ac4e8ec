"""A session in a conditional expression."""
import tensorflow as tf


def train(grows, go):
    config = None
    if grows:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    sess = tf.Session(config=config) if go else None
    if sess is not None:
        print(sess.run(tf.constant(1.0)))


train(True, False)
train(False, True)
