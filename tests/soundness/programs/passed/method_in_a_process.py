"""The session of an object is made in a process of its own."""
# expect: safe

import os
import sys

import tensorflow as tf
import multiprocessing

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
t = T(config)
p = multiprocessing.Process(target=t.train)
p.start(); p.join(); print(p.exitcode)
