"""A hook that subclasses replace has the name of a method of TensorFlow that takes a config."""
# expect: safe

import tensorflow as tf


class Base(object):
    def __init__(self, settings):
        self.configure(settings)
        self.loss = tf.reduce_sum(tf.Variable(tf.ones([3, 3]))) * self.rate

    def configure(self, session_config):
        self.rate = session_config["rate"]


class Slow(Base):
    def configure(self, session_config):
        self.rate = session_config["rate"] / 2


model = Slow(dict(rate=0.5))
config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(model.loss)
