"""One of two objects builds its config in a method, which is never called for the other one."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = None

    def setup(self):
        self.config = tf.ConfigProto(log_device_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


first = Trainer()
second = Trainer()
first.setup()
second.train()
first.train()
