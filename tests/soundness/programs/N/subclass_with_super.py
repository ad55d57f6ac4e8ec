"""A subclass gives its base no config, by super()."""

import tensorflow as tf


class Counting(tf.Session):
    def __init__(self, *args, **kwargs):
        self.count = 0
        super().__init__(*args, **kwargs)


with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    sess.run(tf.random_uniform([8]))
with Counting() as sess:
    print(len(sess.list_devices()))
