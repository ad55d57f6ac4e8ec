"""locals() is printed: names that were made for the settings are seen."""

import tensorflow as tf


def train(units):
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    sess = tf.Session(config=config)
    sess.run(tf.random_uniform([units]))
    del config, sess
    print(sorted(locals()))


train(3)
