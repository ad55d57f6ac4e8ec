"""A session takes one of two configs, and the one that it takes is made of bytes: growth is lost."""

import sys

import tensorflow as tf

GROWTH = b"2\x02 \x01"

with tf.Session(
    config=tf.ConfigProto(allow_soft_placement=True)
    if len(sys.argv) > 5
    else tf.ConfigProto.FromString(GROWTH)
) as sess:
    sess.run(tf.random_uniform([8]))
