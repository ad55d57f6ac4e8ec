"""An object is asked whether it has its config."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)), hasattr(self, "config"))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
t = T(config)
t.train()
