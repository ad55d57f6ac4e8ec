import os
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = os.environ.get("GROWTH", "") == "1"


def session():
    return tf.Session(config=config)
