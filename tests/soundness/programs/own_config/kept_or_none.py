"""A config that is kept, or None: the plain session would find soft placement of the other."""
# argv: plain
import sys

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    sess.run(tf.random_uniform([8]))
kept = None if len(sys.argv) > 1 else tf.ConfigProto(operation_timeout_in_ms=20000)
with tf.Graph().as_default(), tf.Session(config=kept) as sess:
    print(sess.run(tf.random_uniform([8])).shape)
