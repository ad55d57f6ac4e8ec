"""A constructor returns in front of a setting of the config that it has stored."""
import tensorflow as tf


class Trainer(object):
    def __init__(self, a):
        self.config = tf.ConfigProto(intra_op_parallelism_threads=2)
        if not a:
            return
        self.config.allow_soft_placement = True

    def run(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1.0)))


for a in (True, False):
    Trainer(a).run()
