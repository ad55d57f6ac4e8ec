"""An attribute is set for one object; another one of its class has none, and makes no session."""

import tensorflow as tf


class Options:
    pass


def train(options):
    with tf.Session(config=options.config) as sess:
        print(sess.run(tf.constant(1)))


first = Options()
second = Options()
first.config = tf.ConfigProto(allow_soft_placement=True)
train(first)
try:
    train(second)
except AttributeError:
    print("no config")
