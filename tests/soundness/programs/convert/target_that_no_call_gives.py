"""The target of a session is a parameter, and every call leaves it at its default."""
# expect: safe

import tensorflow as tf


def train(steps, target="", task=0):
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(target=target, config=config) as sess:
        for _ in range(steps):
            print(sess.run(tf.constant(task)))


train(2, task=1)
