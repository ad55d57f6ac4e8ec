"""A local variable is called tf."""

import tensorflow as tf


def train(tf_record, tf=tf):
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    return tf.Session(config=config)


def count():
    tf = [1, 2]
    return len(tf)


train(None).run(tf.random_uniform([8]))
print(count())
