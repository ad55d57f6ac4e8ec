"""A method that makes a session is got by its name."""

import tensorflow as tf

supervisor = tf.train.Supervisor(logdir=None)
config = tf.ConfigProto(device_count={"GPU": 1})
first = tf.Session(config=config)
print(len(first.list_devices()))
print(len(getattr(supervisor, "prepare_or_wait_for_session")().list_devices()))
