import tensorflow as tf


def ask():
    print(hasattr(tf.constant(1.0), "numpy"))


def run(sess):
    x = tf.placeholder_with_default(1.0, [])
    print(sess.run(x + 1.0))
