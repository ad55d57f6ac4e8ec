import tensorflow as tf


def total():
    with tf.device("/cpu:0"):
        return tf.reduce_sum(tf.ones([2, 3]), 1, keep_dims=True)
