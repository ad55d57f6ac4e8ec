"""A method of two objects returns None for the second."""
import tensorflow as tf


class Trainer(object):
    def __init__(self, a):
        self.a = a

    def make(self):
        if not self.a:
            return None
        return tf.ConfigProto(allow_soft_placement=True)

    def run(self):
        with tf.Session(config=self.make()) as sess:
            print(sess.run(tf.constant(1.0)))

Trainer(True).run()
Trainer(False).run()
