"""A subclass leaves out the constructor that stores the config: its session is an error."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


class Late(Trainer):
    def __init__(self, ready):
        if not ready:
            return
        super().__init__()


try:
    Late(False).train()
except AttributeError:
    print("no config")
Late(True).train()
