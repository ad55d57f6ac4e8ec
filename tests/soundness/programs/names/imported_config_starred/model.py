import tensorflow as tf
from settings import config


def make():
    return tf.Session(config=config)
