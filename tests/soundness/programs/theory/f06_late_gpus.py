"""device_count GPU 0 with growth, then a plain session: it takes all memory."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 0})
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
