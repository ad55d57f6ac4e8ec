"""Operators call methods of the program: `+`, `[]`, `len`, `==` make plain sessions."""

import tensorflow as tf


def plain():
    tf.Session().run(tf.random_uniform([8]))


class Vector:
    def __add__(self, other):
        plain()
        return self

    def __getitem__(self, index):
        return index

    def __len__(self):
        return 2


vector = Vector()
config = tf.ConfigProto(device_count={"GPU": 0})
vector = vector + vector
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([len(vector)]))
