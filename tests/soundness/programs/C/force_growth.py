"""TF_FORCE_GPU_ALLOW_GROWTH is written behind a config with a limit."""

import os

import tensorflow as tf


def force():
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"


force_later = force
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
force_later()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
