"""Two functions take turns, and each builds its config anew."""
# expect: safe

import tensorflow as tf


def train():
    config = tf.ConfigProto(log_device_placement=True)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


def test():
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(2)))


for step in range(2):
    train()
    test()
