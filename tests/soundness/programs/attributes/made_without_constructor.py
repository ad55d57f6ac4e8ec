"""An object is made without its constructor, and has no config."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


bare = Trainer.__new__(Trainer)
try:
    bare.train()
except AttributeError:
    print("no config")
Trainer().train()
