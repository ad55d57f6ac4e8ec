"""A class has a config in its body, its base has None there, and another subclass keeps that."""

import tensorflow as tf


class Trainer:
    config = None

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


class Loud(Trainer):
    config = tf.ConfigProto(log_device_placement=True)


class Quiet(Trainer):
    pass


Quiet().train()
