"""Only a part of a config is kept somewhere: GPUOptions that go to another function."""

import tensorflow as tf


def describe(options):
    print(options.allow_growth)


options = tf.GPUOptions(allow_growth=True)
describe(options)
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    sess.run(tf.random_uniform([8]))
