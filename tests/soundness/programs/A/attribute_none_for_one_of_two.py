"""One object of a class has None for its config, set in front of the config of another one."""

import tensorflow as tf


class Options:
    pass


def train(options):
    with tf.Session(config=options.config) as sess:
        print(sess.run(tf.constant(1)))


first = Options()
second = Options()
second.config = None
first.config = tf.ConfigProto(allow_soft_placement=True)
train(first)
train(second)
