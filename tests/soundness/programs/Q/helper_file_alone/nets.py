import tensorflow as tf


def noise():
    return tf.random_uniform([8])
