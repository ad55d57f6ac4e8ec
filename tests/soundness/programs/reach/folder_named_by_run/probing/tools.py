import tensorflow as tf


def check():
    with tf.Graph().as_default(), tf.Session() as sess:
        print(len(sess.list_devices()))
