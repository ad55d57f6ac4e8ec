"""Functions that come in by *args are called between config and session."""

import tensorflow as tf


def run_all(*functions, **named):
    for function in [*functions, *named.values()]:
        function()


def plain():
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8]))


todo = {"last": plain}
config = tf.ConfigProto(device_count={"GPU": 0})
run_all(*[], **todo)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
