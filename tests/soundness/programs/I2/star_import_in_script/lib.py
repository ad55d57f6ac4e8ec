import tensorflow as tf


def noise():
    return tf.random.uniform([8])
