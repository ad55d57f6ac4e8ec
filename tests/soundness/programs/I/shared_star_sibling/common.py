import tensorflow as tf
def one():
    return tf.placeholder_with_default(1, [])
