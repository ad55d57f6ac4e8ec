"""What stands in for a config that no call gives is built whether a call gives one or not."""

import tensorflow as tf


def make(config=None):
    default = tf.ConfigProto(allow_soft_placement=True)
    if config is None:
        config = default
    return tf.Session(config=config)


if __name__ == "__main__":
    with make(config=tf.ConfigProto(log_device_placement=True)) as sess:
        print(sess.run(tf.constant(1.0)))
    with make() as sess:
        print(sess.run(tf.constant(2.0)))
    with make(None) as sess:
        print(sess.run(tf.constant(3.0)))
