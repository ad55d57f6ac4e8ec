"""tf.Session(*args, **kwargs): the arguments have no config."""

import tensorflow as tf


def make(*args, **kwargs):
    return tf.Session(*args, **kwargs)


with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    sess.run(tf.random_uniform([8]))
print(len(make("").list_devices()))
