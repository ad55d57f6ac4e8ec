"""A thread that writes the variable is made before the settings, and starts behind them."""

import os
import threading

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


thread = threading.Thread(target=os.putenv, args=("CUDA_VISIBLE_DEVICES", "1"))
config = make_config()
thread.start()
thread.join()
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
