"""A session without a config comes before that of the object."""
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
with tf.Session() as sess:
    print(sess.run(tf.constant(1)))
t.train()
