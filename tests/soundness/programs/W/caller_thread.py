"""inter_op_parallelism_threads=-1 is of one session; a plain session follows."""

import tensorflow as tf

config = tf.ConfigProto(inter_op_parallelism_threads=-1)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
