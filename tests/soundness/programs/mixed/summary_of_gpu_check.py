"""A script asks whether a GPU exists before it builds its config."""

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)
if tf.test.is_gpu_available():
    config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
