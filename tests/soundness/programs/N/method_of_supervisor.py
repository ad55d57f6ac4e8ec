"""A method that makes a session is called by a variable."""

import tensorflow as tf

make = tf.train.Supervisor(logdir=None).prepare_or_wait_for_session
config = tf.ConfigProto(device_count={"GPU": 1})
first = tf.Session(config=config)
print(len(first.list_devices()))
print(len(make().list_devices()))
