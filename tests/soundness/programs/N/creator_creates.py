"""The program itself lets a session creator create its session."""

import tensorflow as tf

creators = [tf.train.ChiefSessionCreator()]
config = tf.ConfigProto(device_count={"GPU": 1})
first = tf.Session(config=config)
print(len(first.list_devices()))
print(len(creators[0].create_session().list_devices()))
