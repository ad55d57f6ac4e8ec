"""A session takes a config of bytes, or another one where there is none: growth is lost."""

import tensorflow as tf

GROWTH = tf.ConfigProto.FromString(b"2\x02 \x01")


def session(config):
    return tf.Session(config=tf.ConfigProto(allow_soft_placement=True) if config is None else config)


with session(GROWTH) as sess:
    sess.run(tf.random_uniform([8]))
