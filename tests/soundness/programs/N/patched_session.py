"""tf.Session is replaced by a function that adds a config."""

import tensorflow as tf

original = tf.Session


def patched(*args, **kwargs):
    kwargs.setdefault("config", tf.ConfigProto(device_count={"GPU": 1}))
    return original(*args, **kwargs)


tf.Session = patched
print(len(tf.Session().list_devices()))
tf.Session = original
print(len(tf.Session().list_devices()))
