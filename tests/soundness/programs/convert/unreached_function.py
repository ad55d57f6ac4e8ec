"""A function that nothing calls makes a plain session: it keeps nothing."""
# expect: safe

import tensorflow as tf


def demo():
    with tf.Session() as sess:
        return sess.run(tf.random_uniform([8]))


with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
    print(len(sess.list_devices()))
