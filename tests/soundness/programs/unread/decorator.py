"""A decorator of a library makes the eager context where a function is defined."""

import foreign_tools
import tensorflow as tf


@foreign_tools.wrap
def build():
    return tf.constant(1)


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
