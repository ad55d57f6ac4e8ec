"""An object takes one config twice."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, a, b):
        self.a = a
        self.b = b
    def train(self):
        with tf.Session(config=self.a) as sess:
            print(sess.run(tf.constant(1)))
        with tf.Session(config=self.b) as sess:
            print(sess.run(tf.constant(1)))
a = tf.ConfigProto()
a.gpu_options.allow_growth = True
t = T(a, a)
t.train()
