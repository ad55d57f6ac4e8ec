"""Sessions in a dictionary comprehension with a condition."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
sessions = {n: tf.Session(config=config if n else None) for n in range(3)}
print({n: len(sess.list_devices()) for n, sess in sessions.items()})
