"""Logging of one session and a kept config of another."""
# expect: safe
# kept: 9

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as sess:
    sess.run(tf.random_uniform([8]))
kept = tf.ConfigProto(operation_timeout_in_ms=20000)
with tf.Graph().as_default(), tf.Session(config=kept) as sess:
    sess.run(tf.random_uniform([8]))
