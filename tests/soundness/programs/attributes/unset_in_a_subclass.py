"""A subclass leaves out the constructor, and its config is read from the object."""

import tensorflow as tf


class Settings:
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)


class Trainer(Settings):
    def __init__(self, ready):
        if ready:
            super().__init__()


for ready in (False, True):
    try:
        trainer = Trainer(ready)
        with tf.Session(config=trainer.config) as sess:
            print(sess.run(tf.ones([4])))
    except AttributeError:
        print("no config")
