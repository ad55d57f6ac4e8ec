import tensorflow as tf


class Trainer(object):
    """Trains.

    Args:
        rate: the learning rate.
        config: of the session.
    """

    def __init__(self, rate, config=None):
        self.rate = rate
        self.config = config

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(self.rate)))
