import tensorflow as tf


def run():
    with tf.Session() as sess:
        print(len(sess.list_devices()))
