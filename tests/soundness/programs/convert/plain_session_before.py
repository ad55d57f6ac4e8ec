"""A plain session before the settings changes nothing about them: devices are per session."""
# expect: safe

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
