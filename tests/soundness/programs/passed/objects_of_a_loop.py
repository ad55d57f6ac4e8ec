"""A loop makes an object for each of two values."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
for growth in [True, False]:
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = growth
    t = T(config)
    t.train()
