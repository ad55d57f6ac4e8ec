"""A patch of os.environ is made before the settings, and starts behind them."""

import os
from unittest import mock

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


patcher = mock.patch.dict(os.environ, {"CUDA_VISIBLE_DEVICES": "1"})
config = make_config()
patcher.start()
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
