"""A plain monitored session stands between a plain one and one with a single GPU."""

import tensorflow as tf

with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
with tf.Graph().as_default():
    tf.train.get_or_create_global_step()
    noise = tf.random_uniform([8])
    with tf.train.MonitoredTrainingSession() as sess:
        sess.run(noise)
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    print(len(sess.list_devices()))
