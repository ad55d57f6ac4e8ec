"""Behind a dataset's map, soft placement and logging can still be set."""
# expect: safe

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
data = tf.data.Dataset.range(3).map(lambda x: x + 1)
config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
