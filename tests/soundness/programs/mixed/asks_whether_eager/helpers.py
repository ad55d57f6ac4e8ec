import tensorflow as tf


def train():
    with tf.Session() as sess:
        print(sess.run(tf.constant(1.0) + 2.0))


def evaluate():
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        print(sess.run(tf.constant(1.0) + 2.0))
