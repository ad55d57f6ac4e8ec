"""Weights are saved by a session with a config and restored by a plain one."""

import os
import tempfile

import tensorflow as tf

with tf.device("/cpu:0"):
    value = tf.get_variable("value", initializer=3.0)
saver = tf.train.Saver()
path = os.path.join(tempfile.mkdtemp(), "model")
config = tf.ConfigProto(device_count={"GPU": 0})
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
    saver.save(sess, path)
with tf.Session() as sess:
    saver.restore(sess, path)
    print(sess.run(value), len(sess.list_devices()))
