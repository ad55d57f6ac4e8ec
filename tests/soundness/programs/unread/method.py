"""A method of an object of a library makes the eager context before the config is built."""

import foreign_tools
import tensorflow as tf

helpers = [foreign_tools.Helper()]
helpers[0].prepare()

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
