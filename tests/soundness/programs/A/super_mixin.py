"""super() of a mixin goes to a class that the mixin does not name."""

import tensorflow as tf


class Loader:
    def prepare(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


class Growing:
    def prepare(self):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        super().prepare()
        return tf.Session(config=config)


class Agent(Growing, Loader):
    pass


sess = Agent().prepare()
sess.run(tf.random_uniform([8]))
