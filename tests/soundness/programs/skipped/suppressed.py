"""A manager swallows an exception in front of the session."""
import contextlib

import tensorflow as tf


def check(go):
    if not go:
        raise ValueError


for grows, go in ((True, False), (False, True)):
    with contextlib.suppress(ValueError):
        if grows:
            config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        else:
            config = None
        check(go)
        with tf.Session(config=config) as sess:
            print(sess.run(tf.constant(1.0)))
