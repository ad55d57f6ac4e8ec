"""A generator yields sessions with a config; between them the caller makes plain ones."""

import tensorflow as tf


def sessions():
    config = tf.ConfigProto(device_count={"GPU": 1})
    while True:
        yield tf.Session(config=config)


made = sessions()
for _ in range(2):
    print(len(next(made).list_devices()), len(tf.Session().list_devices()))
