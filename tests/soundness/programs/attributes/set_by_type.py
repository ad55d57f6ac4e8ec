"""The attribute of a class is set by the type of an object."""

import tensorflow as tf


class Trainer:
    config = tf.ConfigProto(log_device_placement=True)

    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.ones([4])))


trainer = Trainer()
setattr(type(trainer), "config", None)
trainer.train()
