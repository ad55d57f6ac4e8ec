"""A constructor stores its config in a branch only."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        if len(sys.argv) > 5:
            self.config = config
        else:
            self.config = None
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
t = T(config)
t.train()
