"""A part of a config is the same object under another name."""

import tensorflow as tf

config = tf.ConfigProto()
options = config.gpu_options
options.allow_growth = True
options.allow_growth = False
options.per_process_gpu_memory_fraction = 0.5
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
