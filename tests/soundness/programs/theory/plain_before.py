"""A plain session before the settings: first wins, whatever comes later."""

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
options = tf.GPUOptions(per_process_gpu_memory_fraction=0.25, allow_growth=True)
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    sess.run(tf.random_uniform([8]))
