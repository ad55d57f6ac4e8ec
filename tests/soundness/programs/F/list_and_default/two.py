import tensorflow as tf


def go():
    try:
        with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto()) as sess:
            print(len(sess.list_devices()))
    except tf.errors.OpError as error:
        print(type(error).__name__)
