"""Growth first, logical CPUs with a hidden GPU later: the second GPU comes alive last."""

import tensorflow as tf


def run(config):
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
        print(len(sess.list_devices()))


run(tf.ConfigProto(device_count={"GPU": 1}, gpu_options=tf.GPUOptions(allow_growth=True)))
run(tf.ConfigProto(device_count={"CPU": 2}, gpu_options=tf.GPUOptions(allow_growth=True)))
