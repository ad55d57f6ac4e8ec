"""Logical CPUs beside a fraction are fine."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"CPU": 2})
config.gpu_options.per_process_gpu_memory_fraction = 0.5
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
