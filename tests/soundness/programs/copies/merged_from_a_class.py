"""Two classes have another config each that is merged into the one of their objects."""

import tensorflow as tf


class Trainer:
    base = tf.ConfigProto(log_device_placement=True)

    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.MergeFrom(self.base)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


class Quiet(Trainer):
    base = tf.ConfigProto()


Trainer().train()
Quiet().train()
