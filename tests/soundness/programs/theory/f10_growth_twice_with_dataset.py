"""A growing session of one GPU, twice, a dataset's map between; a plain session has both GPUs first."""

import tensorflow as tf


def train():
    config = tf.ConfigProto(device_count={"GPU": 1})
    config.gpu_options.allow_growth = True
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
for _ in range(2):
    train()
    with tf.Graph().as_default():
        tf.data.Dataset.from_tensor_slices([1]).map(lambda x: x + 1)
