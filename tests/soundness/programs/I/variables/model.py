import tensorflow as tf


def counter():
    return tf.Variable(3, name="counter")
