"""A config is kept for a session creator, whose monitored session makes the GPUs first."""
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
        creator = tf.train.ChiefSessionCreator(config=timed())
        with tf.train.MonitoredSession(session_creator=creator) as sess:
            print(sess.run(step))


train()
quick()
