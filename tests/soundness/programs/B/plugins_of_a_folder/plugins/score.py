import tensorflow as tf


def main():
    with tf.Session() as sess:
        print(len(sess.list_devices()))
