"""The value of the setting is defined behind a dataset, and above the config."""

import tensorflow as tf

dataset = tf.data.Dataset.range(3).batch(2)
fraction = 0.25 + 0.25
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = fraction
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
