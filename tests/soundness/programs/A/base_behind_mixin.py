"""A class inherits from a parameter, behind one that has a method of the config's name."""

import tensorflow as tf


class Hard:
    def make_config(self):
        return None


class Trainer:
    def make_config(self):
        return tf.ConfigProto(allow_soft_placement=True)

    def train(self):
        with tf.Session(config=self.make_config()) as sess, tf.device("/gpu:7"):
            print(sess.run(tf.constant(1)))


def hardened(base):
    class Made(Hard, base):
        pass

    return Made


Trainer().train()
try:
    hardened(Trainer)().train()
except tf.errors.InvalidArgumentError:
    print("no such device")
