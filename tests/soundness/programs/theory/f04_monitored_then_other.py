"""Two monitored sessions with different devices: the second cannot change them by tf.config."""

import tensorflow as tf


def train(gpus):
    with tf.Graph().as_default():
        tf.train.get_or_create_global_step()
        value = tf.random_uniform([8])
        config = tf.ConfigProto(device_count={"GPU": gpus})
        with tf.train.MonitoredTrainingSession(config=config) as sess:
            sess.run(value)
            print(len(sess._tf_sess().list_devices()))


train(1)
train(0)
