"""Sessions are tried one after another until one works."""

import tensorflow as tf


def open_first(targets):
    for target in targets:
        try:
            return tf.Session(target, config=tf.ConfigProto(device_count={"GPU": 1}))
        except (tf.errors.OpError, RuntimeError):
            print("failed", target)
    return tf.Session()


print(len(open_first(["nowhere", ""]).list_devices()))
print(len(open_first([]).list_devices()))
