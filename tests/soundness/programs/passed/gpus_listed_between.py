"""GPUs are counted between an object and its session."""

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
config.gpu_options.visible_device_list = '1'
t = T(config)
print(len(tf.config.list_physical_devices('GPU')))
t.train()
