"""Functions that make a config of their own where they are given none, in one expression each."""
# expect: safe

import tensorflow as tf


def by_or(config=None):
    config = config or tf.ConfigProto(allow_soft_placement=True)
    return tf.Session(config=config)


def by_test(graph=None, config=None):
    config = config if config is not None else tf.ConfigProto(allow_soft_placement=True)
    return tf.Session(graph=graph, config=config)


def at_once(config=None):
    return tf.Session(config=tf.ConfigProto(allow_soft_placement=True) if not config else config)


with by_or() as sess:
    sess.run(tf.random_uniform([8]))
with by_test() as sess:
    sess.run(tf.random_uniform([8]))
with at_once() as sess:
    sess.run(tf.random_uniform([8]))
