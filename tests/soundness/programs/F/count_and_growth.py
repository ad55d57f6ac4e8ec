"""The first session hides GPU 1 and grows; the second shows it without growth."""

import tensorflow as tf


def first():
    config = tf.ConfigProto(device_count={"GPU": 1})
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


def second():
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto()) as sess:
        with tf.device("/gpu:1"):
            sess.run(tf.random_uniform([8]))


first()
second()
