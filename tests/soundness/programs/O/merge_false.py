"""MergeFrom does not carry a False: what was True stays."""

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
config.MergeFrom(tf.ConfigProto(allow_soft_placement=False, device_count={"GPU": 1}))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
