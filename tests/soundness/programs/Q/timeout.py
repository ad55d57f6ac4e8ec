"""An operation timeout has no equivalent."""

import tensorflow as tf

config = tf.ConfigProto(operation_timeout_in_ms=20000)
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
