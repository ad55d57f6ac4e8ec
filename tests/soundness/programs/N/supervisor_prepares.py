"""A Supervisor makes a session by the old name of a method."""

import tensorflow as tf

supervisor = tf.train.Supervisor(logdir=None)
config = tf.ConfigProto(device_count={"GPU": 1})
first = tf.Session(config=config)
print(len(first.list_devices()))
print(len(supervisor.PrepareSession().list_devices()))
