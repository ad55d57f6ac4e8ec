"""A monitored session with a Saver of its own makes no GPUs early: the imports are switched."""
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
        scaffold = tf.train.Scaffold(saver=tf.train.Saver())
        with tf.train.MonitoredTrainingSession(scaffold=scaffold, config=timed()) as sess:
            print(sess.run(step))


train()
quick()
