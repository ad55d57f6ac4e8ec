"""print() is another function of the program, which makes a plain session."""

import builtins

import tensorflow as tf

real = builtins.print


def noisy(*values):
    tf.Session().run(tf.random_uniform([8]))
    real(*values)


builtins.print = noisy
config = tf.ConfigProto(device_count={"GPU": 1})
print("training")
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
