"""Text merges into a config that has settings already."""

import tensorflow as tf
from google.protobuf import text_format

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.75
text_format.Merge("gpu_options { per_process_gpu_memory_fraction: 0.25 }", config)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
