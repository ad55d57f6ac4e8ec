import tensorflow as tf


def op(device=lambda o: "/cpu:0"):
    with tf.device(device):
        return tf.add(1, 2)
