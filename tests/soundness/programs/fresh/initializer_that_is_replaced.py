"""A class gets another `__init__`: its objects have no config before."""

import tensorflow as tf


def quiet(owner):
    owner.__init__ = lambda self: None
    return owner


@quiet
class Trainer(object):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def run(self):
        with tf.Session(config=self.config) as sess:
            return sess.run(tf.constant(1.0))


Trainer().run()
