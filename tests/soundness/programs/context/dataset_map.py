"""A dataset's map makes TensorFlow 2's eager context before the session with growth."""

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
data = tf.data.Dataset.range(3).map(lambda x: x + 1)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
