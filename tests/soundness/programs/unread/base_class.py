"""A base class of a library makes the eager context for each class that inherits from it."""

import foreign_tools
import tensorflow as tf


class Model(foreign_tools.Base):
    pass


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
