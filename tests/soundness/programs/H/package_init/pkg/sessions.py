import tensorflow as tf


def make():
    config = tf.ConfigProto(device_count={"GPU": 1})
    return tf.Session(config=config)
