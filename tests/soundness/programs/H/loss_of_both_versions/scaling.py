import tensorflow as tf


def double(x):
    return tf.reduce_sum(x) * 2.0


def show_losses():
    print(tf.losses.mean_squared_error([1.0], [2.0]))
    print(tf.metrics.mean_absolute_error([1.0], [2.0]))
