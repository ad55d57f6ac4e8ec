import tensorflow as tf


def build():
    with tf.device("/cpu:0"):
        return tf.math.count_nonzero(tf.nn.dropout(tf.ones([1000]), 0.9, seed=1))
