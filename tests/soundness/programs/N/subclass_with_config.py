"""A subclass of tf.Session is given the config; plain sessions follow."""

import tensorflow as tf


class My(tf.Session):
    def __init__(self, **kwargs):
        super().__init__(config=tf.ConfigProto(device_count={"GPU": 0}), **kwargs)


with My() as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session() as sess:
    print(len(sess.list_devices()))
