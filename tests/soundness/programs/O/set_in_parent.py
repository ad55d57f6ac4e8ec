"""SetInParent and HasField change nothing in the session."""

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.SetInParent()
if config.HasField("gpu_options"):
    config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
