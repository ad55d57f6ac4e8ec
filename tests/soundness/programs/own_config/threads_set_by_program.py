"""The program sets threads by tf.config; its session's config has others."""

import tensorflow as tf

tf.config.threading.set_inter_op_parallelism_threads(3)
with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=2)) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
