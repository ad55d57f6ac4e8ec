"""Scaffold().finalize() makes a sharded saver."""

import tensorflow as tf

tf.train.get_or_create_global_step()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
scaffold = tf.train.Scaffold().finalize()
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    print(len(sess.list_devices()))
