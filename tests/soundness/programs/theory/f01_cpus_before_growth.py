"""Logical CPUs and growth in two sessions: one logical CPU drops growth for the whole process."""

import tensorflow as tf


def run(config):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
        print(len(sess.list_devices()))


run(tf.ConfigProto(device_count={"CPU": 4, "GPU": 0}))
run(tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
