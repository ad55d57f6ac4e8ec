"""The method that takes the config is that of a base class; the object is made where it is called."""
# expect: safe

import tensorflow as tf


class Base(object):
    def train(self, config):
        with tf.Session(config=config) as sess:
            print(sess.run(self.loss()))


class Model(Base):
    def loss(self):
        return tf.constant(2.0)


Model().train(tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
