"""The program replaces `tf.config`, for code that it shares with another version."""

import types

import tensorflow as tf

setattr(tf, "config", types.SimpleNamespace(name="shim"))
config = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)), tf.config.name)
