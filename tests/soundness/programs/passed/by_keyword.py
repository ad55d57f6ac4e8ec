"""A config is given by keyword, beside others."""
# expect: safe

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, name, *, config=None, verbose=False):
        self.config = config
        self.name = name
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)), self.name)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
t = T("x", config=config, verbose=True)
t.train()
