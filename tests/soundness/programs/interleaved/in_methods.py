"""An object has two configs, and its methods make sessions of both, in turns."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.train_config = tf.ConfigProto(log_device_placement=True)
        self.test_config = tf.ConfigProto(allow_soft_placement=True)

    def train(self):
        with tf.Session(config=self.train_config) as sess:
            print(sess.run(tf.constant(1)))

    def test(self):
        with tf.Session(config=self.test_config) as sess:
            print(sess.run(tf.constant(2)))


trainer = Trainer()
trainer.train()
trainer.test()
trainer.train()
