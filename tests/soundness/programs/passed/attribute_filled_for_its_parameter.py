"""What an object fills its attribute with, where it is given no config, is its session's.

# expect: safe
"""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Trainer(object):
    def __init__(self, config=None, steps=2):
        self.config = config
        self.steps = steps
        if self.config is None:
            self.config = tf.ConfigProto()
            self.config.gpu_options.allow_growth = True

    def train(self):
        with tf.Session(config=self.config) as sess:
            for _ in range(self.steps):
                print(sess.run(tf.reduce_sum(tf.ones([4, 4]))))


Trainer(steps=3).train()
