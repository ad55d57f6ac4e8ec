"""An attribute of an object gets one of two configs, in both branches of a test."""
# expect: safe

import sys
import tensorflow as tf


class Trainer(object):
    def __init__(self):
        if "--cpu" in sys.argv:
            self.config = tf.ConfigProto(allow_soft_placement=True)
        else:
            self.config = tf.ConfigProto()
            self.config.gpu_options.allow_growth = True

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))


Trainer().train()
