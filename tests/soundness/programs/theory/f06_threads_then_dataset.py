"""Threads of a session, then a dataset with map: its context has a pool of its own."""

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=5)) as sess:
    sess.run(tf.random_uniform([8]))
data = tf.data.Dataset.range(3).map(lambda x: x + 1)
value = tf.data.make_one_shot_iterator(data).get_next()
with tf.Session() as sess:
    print(sess.run(value))
