"""A part is copied into the config of one object, and not into that of the next."""
import tensorflow as tf


class Trainer(object):
    def __init__(self, a):
        self.config = tf.ConfigProto()
        if a:
            self.config.graph_options.CopyFrom(tf.GraphOptions(optimizer_options=tf.OptimizerOptions(global_jit_level=1)))

    def run(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1.0)))


for a in (True, False):
    Trainer(a).run()
