"""A private function of Keras makes its session to list the GPUs."""

import tensorflow as tf
from tensorflow.python.keras import backend as K


def make_config():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


config = make_config()
print(len(K._get_available_gpus()))
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([8])).shape, len(sess.list_devices()))
