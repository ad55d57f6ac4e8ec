"""Two objects of one factory make sessions."""
# expect: safe

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
def make():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return T(config)
a = make()
b = make()
a.train()
b.train()
