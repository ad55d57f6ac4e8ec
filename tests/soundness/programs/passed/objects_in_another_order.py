"""Objects make their sessions in another order than they took their configs in."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, config):
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
ts = []
for gpu in ["0", "1"]:
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = gpu
    ts.append(T(config))
for t in ts[::-1]:
    t.train()
