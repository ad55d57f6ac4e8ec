"""Two monitored sessions of one program, with the same config."""

import tensorflow as tf


def train():
    with tf.Graph().as_default():
        tf.train.get_or_create_global_step()
        value = tf.random_uniform([8])
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        with tf.train.MonitoredTrainingSession(config=config) as sess:
            print(sess.run(value).shape)


train()
train()
