"""A comprehension makes no session; the plain one behind it has all GPUs."""
import sys

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
sessions = [tf.Session(config=config) for _ in sys.argv[1:]]
with tf.Session() as sess:
    print(len(sess.list_devices()), len(sessions))
