"""A subclass of tf.Session is made without a config."""

import tensorflow as tf


class My(tf.Session):
    pass


with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(tf.random_uniform([8]))
with My() as sess:
    print(len(sess.list_devices()))
