"""The session between two of one config stands in a `try` statement."""

import tensorflow as tf

config = tf.ConfigProto(log_device_placement=True)
other = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
try:
    with tf.Session(config=other) as sess:
        print(sess.run(tf.constant(2)))
except ValueError:
    pass
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(3)))
