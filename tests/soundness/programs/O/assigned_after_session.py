"""A field that is set behind the session counts for the next session only."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
config.device_count["GPU"] = 2
config.allow_soft_placement = True
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
