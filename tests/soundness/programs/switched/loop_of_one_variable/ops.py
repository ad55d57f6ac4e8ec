import tensorflow as tf


def op():
    return tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
