"""The end of a `with` calls __exit__, which makes the plain session."""

import tensorflow as tf


class Checkpoint:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


with Checkpoint():
    config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
