"""An executor of before the settings makes its process when it gets something to do."""

from concurrent.futures import ProcessPoolExecutor

import tensorflow as tf


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def child():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()), flush=True)


executor = ProcessPoolExecutor(1)
config = make_config()
executor.submit(child).result()
