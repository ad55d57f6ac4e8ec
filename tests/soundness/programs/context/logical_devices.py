"""tf.config.list_logical_devices between a plain session and one without GPUs."""

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
print(len(tf.config.list_logical_devices("GPU")))
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    print(len(sess.list_devices()))
