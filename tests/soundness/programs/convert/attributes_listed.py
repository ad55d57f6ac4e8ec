"""A class lists its attributes, and nothing calls that."""
# expect: safe

import tensorflow as tf


class Config(object):
    NAME = "a"

    def display(self):
        for a in dir(self):
            if not a.startswith("__") and not callable(getattr(self, a)):
                print("{:30} {}".format(a, getattr(self, a)))


c = Config()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
