"""A constructor takes its config or one of its own."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config or tf.ConfigProto()
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
t = T(config)
t.train()
