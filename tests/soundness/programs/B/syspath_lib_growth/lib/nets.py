import tensorflow as tf
def build():
    return tf.layers.dense(tf.placeholder_with_default([[1., 2.]], [1, 2]), 2)
