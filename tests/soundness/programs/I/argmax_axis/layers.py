import tensorflow as tf


def best():
    with tf.device("/cpu:0"):
        x = tf.constant([[1.0, 3.0], [5.0, 2.0]])
        return tf.argmax(x, dimension=1)
