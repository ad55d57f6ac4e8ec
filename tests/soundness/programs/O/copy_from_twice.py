"""gpu_options.CopyFrom(a), then .CopyFrom(b): the second replaces the first."""

import tensorflow as tf

half = tf.GPUOptions(per_process_gpu_memory_fraction=0.5)
growing = tf.GPUOptions(allow_growth=True)
config = tf.ConfigProto()
config.gpu_options.CopyFrom(growing)
config.gpu_options.CopyFrom(half)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
