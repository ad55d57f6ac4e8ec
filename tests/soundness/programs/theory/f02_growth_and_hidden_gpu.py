"""device_count GPU 1 with growth, then a plain session: GPU 1 takes all its memory."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session() as sess, tf.device("/gpu:1"):
    sess.run(tf.random_uniform([8]))
