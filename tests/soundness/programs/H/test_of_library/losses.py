import tensorflow as tf


def square(x):
    with tf.device("/cpu:0"):
        return tf.square(x)
