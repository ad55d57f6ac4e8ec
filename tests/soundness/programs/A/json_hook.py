"""json.loads calls a hook, which makes the plain session."""

import json

import tensorflow as tf


def layer(data):
    tf.Session().run(tf.random_uniform([data["units"]]))
    return data


config = tf.ConfigProto(device_count={"GPU": 0})
model = json.loads('{"units": 4}', object_hook=layer)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([model["units"]]))
