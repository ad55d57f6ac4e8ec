"""The second of two objects makes its session first."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
def make(gpu):
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = gpu
    return T(config)
a = make("1")
b = make("0")
a.train()
