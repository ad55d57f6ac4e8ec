"""Sessions of an object are made in threads."""
# expect: safe

import os
import sys

import tensorflow as tf
from multiprocessing.dummy import Pool

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
t = T(config)
Pool(2).map(lambda i: t.train(), range(2))
