import tensorflow as tf


def train(config):
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))
