"""Unpacking a generator runs the code that writes a variable of CUDA."""

import os, sys
import tensorflow as tf
def gen():
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"
    yield 1
    yield 2
env = gen()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
a, b = env
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)), len(sess.list_devices()))
