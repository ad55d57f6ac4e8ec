"""A dataset of lines, then a session with the list "0"."""

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
data = tf.data.TextLineDataset([__file__])
config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="0"))
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
