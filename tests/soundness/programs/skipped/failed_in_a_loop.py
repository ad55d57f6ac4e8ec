"""An exception in front of the session is caught in the loop around both."""
import tensorflow as tf


def check(go):
    if not go:
        raise ValueError


for grows, go in ((True, False), (False, True)):
    try:
        config = None
        if grows:
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        check(go)
        with tf.Session(config=config) as sess:
            print(sess.run(tf.constant(1.0)))
    except ValueError:
        print('no')
