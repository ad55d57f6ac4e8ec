"""A method that stores the config is called for one of two objects, the other one has none."""

import tensorflow as tf


class Trainer:
    def setup(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


first = Trainer()
second = Trainer()
first.setup()
try:
    second.train()
except AttributeError:
    print("no config")
