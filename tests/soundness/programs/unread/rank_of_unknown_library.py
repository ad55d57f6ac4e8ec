"""A library of which nothing is known has a function `local_rank`, which makes a session."""

import foreign_tools

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
print(foreign_tools.local_rank())
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
