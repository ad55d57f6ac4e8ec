"""The number of CPUs is a variable beside growth."""

import tensorflow as tf

cpus = 2
config = tf.ConfigProto(
    device_count={"CPU": cpus}, gpu_options=tf.GPUOptions(allow_growth=True)
)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
