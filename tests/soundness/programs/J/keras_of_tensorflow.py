"""`from tensorflow.keras import backend` beside a session with a config."""

import tensorflow as tf
from tensorflow.python.ops import array_ops

with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
    print(sess.run(array_ops.ones([2])).sum())
