"""A method takes the config of an object away in front of its session."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(log_device_placement=True)

    def reset(self):
        self.config = None

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


trainer = Trainer()
trainer.reset()
trainer.train()
