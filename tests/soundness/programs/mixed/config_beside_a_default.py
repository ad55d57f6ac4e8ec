"""The branch that fills a parameter builds another config, whose session is always made."""

import tensorflow as tf


def make(config=None):
    first = None
    if config is None:
        config = tf.ConfigProto(allow_soft_placement=True)
        first = tf.ConfigProto(device_count={"GPU": 1})
    with tf.Session(config=first) as sess:
        print(sess.run(tf.constant(0.0)))
    return tf.Session(config=config)


if __name__ == "__main__":
    with make(config=tf.ConfigProto(log_device_placement=True)) as sess:
        print(sess.run(tf.constant(1.0)))
    with make() as sess:
        print(sess.run(tf.constant(2.0)))
    with make(None) as sess:
        print(sess.run(tf.constant(3.0)))
