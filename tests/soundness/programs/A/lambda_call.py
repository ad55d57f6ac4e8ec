"""A lambda makes the plain session."""

import tensorflow as tf

evaluate = lambda: tf.Session().run(tf.random_uniform([8]))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
evaluate()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
