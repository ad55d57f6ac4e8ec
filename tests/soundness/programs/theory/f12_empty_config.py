"""A session with an empty config is made before a plain one."""

import tensorflow as tf

with tf.Session(config=tf.ConfigProto()) as sess:
    print(len(sess.list_devices()))
with tf.Session() as sess:
    print(len(sess.list_devices()))
