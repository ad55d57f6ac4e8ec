"""A constructor raises before it stores its config."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        raise ValueError
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
try:
    t = T(config)
except ValueError:
    print('v')
with tf.Session() as s:
    print(s.run(tf.constant(3)))
