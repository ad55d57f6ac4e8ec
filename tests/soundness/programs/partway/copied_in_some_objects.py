"""A config is copied into that of one object, and not into that of the next."""
import tensorflow as tf


class Trainer(object):
    def __init__(self, a):
        self.config = tf.ConfigProto()
        if a:
            self.config.MergeFrom(tf.ConfigProto(allow_soft_placement=True))

    def run(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1.0)))


for a in (True, False):
    Trainer(a).run()
