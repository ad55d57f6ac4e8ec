"""A fixture yields a session with a config; a plain session is made while it is open."""

import contextlib

import tensorflow as tf


@contextlib.contextmanager
def cpu_session():
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
        yield sess


with cpu_session() as sess:
    sess.run(tf.random_uniform([8]))
    with tf.Session(graph=tf.Graph()) as other:
        print(len(sess.list_devices()), len(other.list_devices()))
