"""inter_op_parallelism_threads=-1 of the second session."""

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
config = tf.ConfigProto(inter_op_parallelism_threads=-1)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
