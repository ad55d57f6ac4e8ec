"""A lambda in a function has a name of the module."""
import os

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
def make():
    global go
    go = lambda: os.environ.update(CUDA_VISIBLE_DEVICES='1')


make()
go()
with tf.Session(config=config) as session:
    session.run(tf.matmul(tf.ones([4, 4]), tf.ones([4, 4])))
