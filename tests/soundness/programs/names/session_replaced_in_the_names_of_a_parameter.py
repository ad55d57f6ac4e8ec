"""A class of TensorFlow is replaced by a function that stores in the names of a module."""

import tensorflow as tf


class Session(tf.Session):
    def __init__(self, target="", graph=None, config=None):
        print(config is None)
        super().__init__(target, graph, config)


def patch(module):
    module.__dict__["Session"] = Session


patch(tf)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1.0) + 1.0))
