"""A session with an unknown target fails and is caught; its config must not stay."""

import tensorflow as tf

try:
    tf.Session("nowhere", config=tf.ConfigProto(device_count={"GPU": 0}))
except (tf.errors.OpError, RuntimeError) as error:
    print(type(error).__name__)
with tf.Session() as sess:
    print(len(sess.list_devices()))
