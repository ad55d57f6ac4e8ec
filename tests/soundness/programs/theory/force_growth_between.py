"""TF_FORCE_GPU_ALLOW_GROWTH is written between two sessions: it counts for GPUs of the second."""

import os

import tensorflow as tf


def run(count):
    with tf.Graph().as_default():
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": count})) as sess:
            with tf.device("/gpu:%d" % (count - 1)):
                sess.run(tf.random_uniform([8]))


run(1)
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
run(2)
