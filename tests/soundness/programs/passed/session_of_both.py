"""The config of an object is also that of another session."""
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
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
t = T(config)
t.train()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(2)))
