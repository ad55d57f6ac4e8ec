"""A method stores an attribute that not every object has in another one."""

import tensorflow as tf


class Trainer:
    def __init__(self, ready):
        if ready:
            self.config = tf.ConfigProto(allow_soft_placement=True)

    def train(self):
        self.own = self.config
        with tf.Session(config=self.own) as sess:
            print(sess.run(tf.ones([4])))


for ready in (False, True):
    try:
        trainer = Trainer(ready)
        trainer.train()
    except AttributeError:
        print("no config")
