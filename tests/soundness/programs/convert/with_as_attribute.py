"""A `with` statement keeps the session in the object that has the config, in a class below."""
# expect: safe

import tensorflow as tf


class Base:
    def __init__(self):
        self.graph = tf.Graph()
        self.config = tf.ConfigProto()
        self.config.allow_soft_placement = True  # some operations have no kernel
        self.config.gpu_options.allow_growth = True

    def fit(self):
        with tf.Session(graph=self.graph, config=self.config) as self.sess:
            print(self.sess.run(self.result))


class Net(Base):
    def __init__(self):
        super().__init__()
        with self.graph.as_default():
            self.result = tf.matmul(tf.ones([2, 2]), tf.ones([2, 2]))


Net().fit()
