"""The attribute of an object that took a config is changed from outside."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
config = tf.ConfigProto()
t = T(config)
t.config.gpu_options.allow_growth = True
t.train()
