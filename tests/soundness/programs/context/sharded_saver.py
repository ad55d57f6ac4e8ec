"""A Saver with sharded=True comes before a session with one GPU."""

import tensorflow as tf

tf.Variable(1.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
saver = tf.train.Saver(sharded=True)
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    print(len(sess.list_devices()))
