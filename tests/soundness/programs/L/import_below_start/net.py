import tensorflow as tf
C = 2.0
def out():
    return tf.add(tf.constant([1., 1.]), C)
