"""A class made by a call has a property in the place of the attribute with the config."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(log_device_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


members = {"config": property(lambda self: None, lambda self, value: None)}
Quiet = type("Quiet", (Trainer,), members)
Trainer().train()
Quiet().train()
