"""A method returns an attribute that not every object has."""

import tensorflow as tf


class Trainer:
    def __init__(self, ready):
        if ready:
            self.config = tf.ConfigProto(allow_soft_placement=True)

    def get(self):
        return self.config


for ready in (False, True):
    try:
        trainer = Trainer(ready)
        with tf.Session(config=trainer.get()) as sess:
            print(sess.run(tf.ones([4])))
    except AttributeError:
        print("no config")
