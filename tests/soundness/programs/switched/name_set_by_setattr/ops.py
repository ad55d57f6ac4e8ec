import tensorflow as tf


def op():
    return tf.add(tf.flag, 1)
