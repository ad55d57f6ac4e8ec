import tensorflow as tf


def evaluate():
    with tf.Session() as sess:
        print(len(sess.list_devices()))
