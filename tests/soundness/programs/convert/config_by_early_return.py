"""A function returns one of two configs, the first one early."""
# expect: safe

import os

import tensorflow as tf


def make_config():
    if os.getenv("USE_GPU", "1") != "1":
        return tf.ConfigProto(device_count={"GPU": 0})
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


with tf.Session(config=make_config()) as sess:
    print(sess.run(tf.constant(1)), len(sess.list_devices()))
