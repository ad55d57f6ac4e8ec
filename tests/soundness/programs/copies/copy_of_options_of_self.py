"""Options of an object are copied into its config."""
# expect: safe
import tensorflow as tf
class Trainer(object):
    def __init__(self):
        self.options = tf.GPUOptions(allow_growth=True)
        self.config = tf.ConfigProto()
        self.config.gpu_options.CopyFrom(self.options)
    def train(self):
        with tf.Session(config=self.config) as sess:
            print(sess.run(tf.constant(1)))
Trainer().train()
