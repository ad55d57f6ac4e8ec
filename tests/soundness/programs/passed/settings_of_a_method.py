"""A method sets a field of the config behind a plain session."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        self.config.gpu_options.allow_growth = True
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
t = T(tf.ConfigProto(allow_soft_placement=True))
with tf.Session() as s:
    print(s.run(tf.constant(0)))
t.train()
