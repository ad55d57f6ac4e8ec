"""A function answers whether a device exists; soft placement of another session must not lie."""

import tensorflow as tf


def exists(device):
    with tf.Graph().as_default():
        with tf.device(device):
            noise = tf.random_uniform([8])
        with tf.Session() as sess:
            try:
                sess.run(noise)
            except Exception:
                return False
    return True


def train():
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        sess.run(tf.random_uniform([8]))


train()
print(exists("/gpu:1"), exists("/gpu:2"))
