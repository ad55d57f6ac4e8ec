"""A monitored session makes an eager context on TensorFlow 2: nothing can be put back behind it."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
tf.train.get_or_create_global_step()
value = tf.random_uniform([8])
with tf.train.MonitoredTrainingSession(config=config) as sess:
    sess.run(value)
with tf.Graph().as_default():
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
        print(len(sess.list_devices()))
