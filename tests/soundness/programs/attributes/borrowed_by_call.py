"""A method is called by its class with an object that has another config."""

from types import SimpleNamespace

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            with tf.device("/gpu:7"):
                print(sess.run(tf.ones([4])))


Trainer().train()
try:
    Trainer.train(SimpleNamespace(config=None))
except tf.errors.InvalidArgumentError:
    print("no such GPU")
