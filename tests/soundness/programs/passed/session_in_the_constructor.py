"""A constructor makes a plain session behind the config that it takes."""
# expect: safe

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
        tf.Session().close()
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
t = T(config)
t.train()
