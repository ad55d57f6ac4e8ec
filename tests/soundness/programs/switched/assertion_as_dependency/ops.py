import tensorflow as tf


def op():
    with tf.control_dependencies([tf.debugging.assert_integer(tf.constant(1))]):
        return tf.add(1, 2)
