import tensorflow as tf
def out():
    return tf.add(tf.constant([1., 1.]), 2.)
