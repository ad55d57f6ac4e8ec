"""Another session is made between a default and the session that takes it, or a call's config."""

import tensorflow as tf


def make(config=None):
    if config is None:
        config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as first:
        print(first.run(tf.constant(0.0)))
    return tf.Session(config=config)


if __name__ == "__main__":
    with make(config=tf.ConfigProto(log_device_placement=True)) as sess:
        print(sess.run(tf.constant(1.0)))
    with make() as sess:
        print(sess.run(tf.constant(2.0)))
    with make(None) as sess:
        print(sess.run(tf.constant(3.0)))
