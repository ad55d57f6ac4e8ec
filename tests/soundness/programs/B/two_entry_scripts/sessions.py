import tensorflow as tf


def cpu_session():
    return tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
