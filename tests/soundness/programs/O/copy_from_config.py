"""config.CopyFrom(other) drops what the config had."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
other = tf.ConfigProto()
other.gpu_options.allow_growth = True
config.CopyFrom(other)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
