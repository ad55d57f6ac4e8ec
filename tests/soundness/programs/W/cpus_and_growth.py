"""A logical CPU drops growth."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"CPU": 4})
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
