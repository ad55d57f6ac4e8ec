"""The call of the session raises, and a plain session comes behind it."""

import tensorflow as tf
config = tf.ConfigProto(device_count={'GPU': 0}, allow_soft_placement=True)
try:
    sess = tf.Session(graph=7, config=config)
except TypeError as e:
    print("type", e)
with tf.Session() as s:
    print(len(s.list_devices()))
