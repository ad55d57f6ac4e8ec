"""TensorFlow is a name of the module that is run."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
first = tf.Session(config=config)
print(len(first.list_devices()))
import __main__

print(len(__main__.tf.Session().list_devices()))
