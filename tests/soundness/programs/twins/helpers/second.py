import tensorflow as tf


def start(config):
    return tf.Session(config=config)
