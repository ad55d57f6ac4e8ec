"""A `with` item of a library makes the eager context."""

from foreign_tools import ready

import tensorflow as tf

with ready():
    print(tf.constant(1).shape)

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
