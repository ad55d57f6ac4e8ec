"""Settings of a function depend on its parameter, and the function maps a list of the program."""

import tensorflow as tf


class Pipeline(list):
    def filter(self, function):
        return Pipeline(filter(function, self))


def train(items, count):
    items = Pipeline(items).filter(bool)
    config = tf.ConfigProto(device_count={"GPU": count})
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([len(items)]))


train([1, 0, 2], 1)
