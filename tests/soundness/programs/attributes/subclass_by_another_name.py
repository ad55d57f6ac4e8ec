"""A class inherits from one that a parameter holds, and has another config."""

import tensorflow as tf


class Trainer:
    config = tf.ConfigProto(log_device_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


def quiet(base):
    class Quiet(base):
        config = None

    return Quiet


quiet(Trainer)().train()
