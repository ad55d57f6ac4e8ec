import tensorflow as tf
def out():
    return tf.log(tf.constant([1.0, 1.0]))
