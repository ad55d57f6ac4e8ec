"""A class method sets the config of the subclass that it is called for, and not that of the base."""

import tensorflow as tf


class Trainer:
    config = None

    @classmethod
    def setup(cls):
        cls.config = tf.ConfigProto(log_device_placement=True)

    @classmethod
    def train(cls):
        with tf.Session(config=cls.config) as sess:
            print(sess.run(tf.ones([4])))


class Loud(Trainer):
    pass


Loud.setup()
Trainer.train()
