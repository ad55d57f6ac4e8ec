import tensorflow.compat.v1 as tf
def build():
    return tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
