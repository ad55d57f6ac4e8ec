"""A library makes the eager context when all of its names are imported."""

import tensorflow as tf
from foreign_import import *

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
