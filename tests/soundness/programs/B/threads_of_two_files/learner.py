import tensorflow as tf


def run():
    with tf.Graph().as_default(), tf.Session() as sess:
        print(len(sess.list_devices()))
