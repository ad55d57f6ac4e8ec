"""A setting of an attribute that the body of a class makes None."""
import sys

import tensorflow as tf


class Trainer(object):
    config = None

    def __init__(self):
        if len(sys.argv) > 1:
            self.config = tf.ConfigProto(intra_op_parallelism_threads=1)
        self.config.allow_soft_placement = True

    def run(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1.0)))


try:
    Trainer().run()
except AttributeError:
    print('no config')
