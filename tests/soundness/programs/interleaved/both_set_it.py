"""Two configs set one field to two values, and their sessions take turns."""

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
other = tf.ConfigProto(allow_soft_placement=False)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
with tf.Session(config=other) as sess:
    print(sess.run(tf.constant(2)))
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(3)))
