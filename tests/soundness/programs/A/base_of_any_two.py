"""A class inherits from what is in a list: a method of its first base comes before the config's."""

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


BASES = [Hard, Trainer]


class HardTrainer(*BASES):
    pass


Trainer().train()
try:
    HardTrainer().train()
except tf.errors.InvalidArgumentError:
    print("no such device")
