"""An exception in front of the session is caught by the caller."""
import tensorflow as tf


def check(go):
    if not go:
        raise ValueError


def train(grows, go):
    if grows:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    else:
        config = None
    check(go)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


for grows, go in ((True, False), (False, True)):
    try:
        train(grows, go)
    except ValueError:
        print('no')
