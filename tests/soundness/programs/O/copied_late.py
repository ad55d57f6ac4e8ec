"""A message in a constructor is copied: later changes do not count."""

import tensorflow as tf

options = tf.GPUOptions(per_process_gpu_memory_fraction=0.25)
config = tf.ConfigProto(gpu_options=options)
options.per_process_gpu_memory_fraction = 0.75
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
