"""A method is read from the type of an object, and called for one that has no config."""

from types import SimpleNamespace

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(log_device_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


trainer = Trainer()
type(trainer).train(SimpleNamespace(config=None))
trainer.train()
