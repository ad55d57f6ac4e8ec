"""Two configs are None together, and one of them stays: it is tested later."""

import tensorflow as tf


def main():
    config = other = None
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))
    print(other is None)
    other = tf.ConfigProto(allow_soft_placement=True, operation_timeout_in_ms=60000)
    with tf.Session(config=other) as sess:
        print(sess.run(tf.constant(2)))
    print(other.allow_soft_placement)


main()
