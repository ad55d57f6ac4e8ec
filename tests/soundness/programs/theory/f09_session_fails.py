"""A session that fails is caught: the next plain session must show all GPUs."""

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="1"))
try:
    tf.Session(config=config)
except tf.errors.OpError as error:
    print(type(error).__name__)
with tf.Session() as sess:
    print(len(sess.list_devices()))
