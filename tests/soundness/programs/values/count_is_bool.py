"""protobuf takes no bool for a number: the program goes on without a session."""

import tensorflow as tf


def make():
    config = tf.ConfigProto()
    config.device_count["GPU"] = True
    return tf.Session(config=config)


try:
    print(len(make().list_devices()))
except TypeError:
    print("refused")
