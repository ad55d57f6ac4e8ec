"""A config of the module stands in where a call gives none."""

import tensorflow as tf

DEFAULT = tf.ConfigProto(allow_soft_placement=True)


def make(config=None):
    if config is None:
        config = DEFAULT
    return tf.Session(config=config)


if __name__ == "__main__":
    with make(config=tf.ConfigProto(log_device_placement=True)) as sess:
        print(sess.run(tf.constant(1.0)))
    with make() as sess:
        print(sess.run(tf.constant(2.0)))
    with make(None) as sess:
        print(sess.run(tf.constant(3.0)))
