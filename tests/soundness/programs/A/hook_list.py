"""Hooks in a list are called between config and session."""

import tensorflow as tf

HOOKS = []


def hook(function):
    HOOKS.append(function)
    return function


@hook
def before_training():
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8]))


config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.3))
for function in HOOKS:
    function()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
