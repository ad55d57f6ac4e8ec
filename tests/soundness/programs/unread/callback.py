"""A function that is handed to a library is called behind the eager context."""

import foreign_tools
import tensorflow as tf


def build():
    return tf.constant(1)


foreign_tools.call(build)

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
