"""Only the second object of a factory has a setting."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
def make(n):
    config = tf.ConfigProto()
    if n:
        config.gpu_options.allow_growth = True
    return T(config)
a = make(0)
b = make(1)
a.train()
