"""A method of one class runs for an object of another one, whose config is none."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(log_device_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


class Plain:
    config = None
    train = Trainer.train


Trainer().train()
Plain().train()
