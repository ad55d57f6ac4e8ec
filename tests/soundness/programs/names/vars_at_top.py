"""The variables of the file are listed, and a class of sessions is taken out of them."""

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


maker = tf.Session
config = make_config()
vars()["maker"]().close()
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
