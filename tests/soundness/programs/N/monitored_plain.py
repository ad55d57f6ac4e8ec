"""A monitored session without a config."""

import tensorflow as tf

with tf.Session(config=tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Graph().as_default():
    value = tf.random_uniform([8])
    scaffold = tf.train.Scaffold(saver=tf.train.Saver([tf.Variable(1.0)]))
    with tf.train.MonitoredTrainingSession(scaffold=scaffold) as sess:
        print(len(sess._tf_sess().list_devices()))
