"""globals() finds the function that makes a plain session."""

import tensorflow as tf


def task_eval():
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8]))


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
globals()["task_" + "eval"]()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
