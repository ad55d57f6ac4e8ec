"""A class of TensorFlow is replaced through an attribute that has the module."""

import tensorflow as tf


class Session(tf.Session):
    def __init__(self, target="", graph=None, config=None):
        print(config is None)
        super().__init__(target, graph, config)


class Library:
    def __init__(self, module):
        self.module = module


Library(tf).module.Session = Session
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0) + 1.0))
