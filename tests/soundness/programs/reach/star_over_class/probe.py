import tensorflow as tf


class Check:
    def __init__(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            print(len(sess.list_devices()))
