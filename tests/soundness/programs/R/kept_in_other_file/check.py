import tensorflow as tf


def main():
    config = tf.ConfigProto(operation_timeout_in_ms=20000, allow_soft_placement=True)
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
