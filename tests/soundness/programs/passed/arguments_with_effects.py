"""Other arguments print beside values of the config."""

import os
import sys

import tensorflow as tf

class T:
    def __init__(self, lr, config, name="x"):
        self.lr, self.name = lr, name
        self.config = config
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)), self.lr, self.name)
def f(x):
    print("f", x)
    return x
t = T(f(1), tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True), inter_op_parallelism_threads=f(2)), f(3))
t.train()
