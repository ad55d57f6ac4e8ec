"""A variable takes an attribute that not every object has, in front of the session."""

import tensorflow as tf


class Trainer:
    def __init__(self, ready):
        if ready:
            self.config = tf.ConfigProto(allow_soft_placement=True)


for ready in (False, True):
    try:
        trainer = Trainer(ready)
        config = trainer.config
        with tf.Session(config=config) as sess:
            print(sess.run(tf.ones([4])))
    except AttributeError:
        print("no config")
