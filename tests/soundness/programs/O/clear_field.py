"""ClearField takes a setting back."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
config.gpu_options.allow_growth = True
config.ClearField("device_count")
config.gpu_options.ClearField("allow_growth")
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
