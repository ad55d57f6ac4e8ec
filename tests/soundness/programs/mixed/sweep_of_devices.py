"""A sweep over numbers of GPUs: every trial has its own device count."""

import tensorflow as tf


def trial(gpus):
    config = tf.ConfigProto(device_count={"GPU": gpus})
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
        return len(sess.list_devices())


print([trial(gpus) for gpus in (1, 2, 0, 2)])
with tf.Session() as sess:
    print(len(sess.list_devices()))
