"""On TensorFlow 2 the Saver of a monitored session makes the GPUs before a kept config counts."""
# expect: safe
# kept: 17

import tensorflow as tf


def quick():
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        with tf.device("/gpu:7"):
            there = tf.constant(1.0)
        print(sess.run(there) * 0)


def timed():
    config = tf.ConfigProto(operation_timeout_in_ms=60000)
    config.gpu_options.allow_growth = True
    return config


def train():
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        with tf.train.MonitoredTrainingSession(config=timed()) as sess:
            print(sess.run(step))


train()
quick()
