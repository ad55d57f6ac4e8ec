"""A constructor returns in front of the config: the session of its object is an error."""

import tensorflow as tf


class Trainer:
    def __init__(self, ready):
        if not ready:
            return
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


for ready in (False, True):
    try:
        trainer = Trainer(ready)
        trainer.train()
    except AttributeError:
        print("no config")
