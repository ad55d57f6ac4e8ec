"""A setting of what a property may return as None."""
import sys

import tensorflow as tf


class Options(object):
    @property
    def config(self):
        config = None
        if len(sys.argv) > 1:
            config = tf.ConfigProto(intra_op_parallelism_threads=1)
        return config


config = Options().config
try:
    config.allow_soft_placement = True
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))
except AttributeError:
    print('no config')
