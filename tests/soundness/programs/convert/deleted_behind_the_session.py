"""Configs are deleted once their sessions have them."""

# expect: safe
import tensorflow as tf


def run(step):
    options = tf.GPUOptions(allow_growth=True)
    config = tf.ConfigProto(gpu_options=options)
    del options
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant([1.0]) * step))
    del config


for step in range(2):
    run(step)
