"""return in try, with a finally that makes a plain session."""

import tensorflow as tf


def make():
    config = tf.ConfigProto(device_count={"GPU": 1})
    try:
        return tf.Session(config=config)
    finally:
        print(len(tf.Session().list_devices()))


print(len(make().list_devices()))
