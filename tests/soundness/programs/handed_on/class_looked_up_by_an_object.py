"""An object has TensorFlow, and looks a class of sessions up in it."""

import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
class Trainer(object):
    def train(self, config):
        with tf.Session(config=config) as sess:
            print(sess.run(tf.constant(1)))
class Backend(object):
    def __init__(self, lib): self.lib = lib
    def open(self): return getattr(self.lib, 'Session')()
config = tf.ConfigProto(log_device_placement=True)
Trainer().train(config)
print(Backend(tf).open().run(tf.constant(2)))
