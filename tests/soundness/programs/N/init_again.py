"""A session is initialised again, by its own `__init__` and by that of its class."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
first = tf.Session(config=config)
print(len(first.list_devices()))
first.__init__()
print(len(first.list_devices()))


def again(session):
    session.__init__()


again(first)
tf.Session.__init__(first)
print(len(first.list_devices()))
