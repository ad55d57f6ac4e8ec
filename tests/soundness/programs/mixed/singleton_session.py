"""A module-level singleton makes its session on first use, from whoever is first."""

import tensorflow as tf

_SESSION = None


def get_session(config=None):
    global _SESSION
    if _SESSION is None:
        _SESSION = tf.Session(config=config)
    return _SESSION


def predict():
    return len(get_session().list_devices())


def train():
    config = tf.ConfigProto(device_count={"GPU": 1})
    return len(get_session(config).list_devices())


print(predict(), train())
