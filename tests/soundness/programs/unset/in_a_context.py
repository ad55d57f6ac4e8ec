"""A context manager prints whether the code in it raised."""
import sys

import tensorflow as tf


def go():
    if len(sys.argv) > 1:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.Session(config=config) as session:
        print(session.run(tf.constant(1)))


class Log(object):
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        print("status", "error" if kind else "ok")
        return True


with Log():
    go()
