"""The fields come from an item of a dictionary of constants, and from one that a function makes."""
# expect: safe

import tensorflow as tf

DEFAULTS = {"session": {"gpu_options": {"allow_growth": True}}, "steps": {"train": 3}}


def defaults():
    return {"session": {"gpu_options": {"allow_growth": True}}, "steps": {"train": 3}}


with tf.Session(config=tf.ConfigProto(**defaults()["session"])) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session(config=tf.ConfigProto(**DEFAULTS["session"])) as sess:
    sess.run(tf.random_uniform([8]))
