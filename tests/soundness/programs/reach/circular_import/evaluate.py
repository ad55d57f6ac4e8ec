import tensorflow as tf

import train


def main():
    with tf.Graph().as_default(), tf.Session() as sess:
        print(len(sess.list_devices()), train.__name__)
