"""The config is also logged; what is printed is only for people."""
# expect: any

import logging

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
logging.getLogger("train").info("session config: %s", config)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
