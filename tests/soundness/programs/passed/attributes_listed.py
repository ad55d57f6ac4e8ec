"""An object lists its attributes."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
        self.n = 1
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)), sorted(vars(self)))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
t = T(config)
t.train()
